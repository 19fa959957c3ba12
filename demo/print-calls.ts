/** Prints on the terminal what the calling service receives and sends. */
import type { Sandbox } from '../sandbox/service.ts';
import { print } from './progress.ts';

export function printCalls(sandbox: Sandbox): void {
  sandbox.listen((event) => {
    if (event.kind === 'call') print(`  → /call received ${describeCall(event.call.fields)}`);
    if (event.kind === 'reply')
      print(`    answered: ${event.call.status === 0 ? 'connection reset' : `HTTP ${event.call.status}`}`);
    if (event.kind === 'notification') {
      const { event: name, party, billsec } = event.notification.body;
      print(`  ← ${name} ${party ? `of the ${party}` : `after ${billsec} s of talk`}, sent to the relay`);
    }
  });
}

export const describeCall = (fields: Readonly<Record<string, unknown>>) =>
  `from ${fields.from} to ${fields.to}`;
