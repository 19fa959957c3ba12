/** Tells on the terminal, as it happens, what the calling service sees and does. */
import type { Sandbox } from '../sandbox/service.ts';
import { say } from './progress.ts';

export function tellCalls(sandbox: Sandbox): () => void {
  return sandbox.listen((event) => {
    if (event.kind === 'call') say(`  → /call received ${describeCall(event.call.fields)}`);
    if (event.kind === 'reply')
      say(`    answered: ${event.call.status === 0 ? 'connection reset' : `HTTP ${event.call.status}`}`);
    if (event.kind === 'notification')
      say(
        `  ← ${event.notification.body.event} after ${event.notification.body.billsec} s of talk, told to the relay`,
      );
  });
}

export const describeCall = (fields: Readonly<Record<string, unknown>>) =>
  `from ${fields.from} to ${fields.to}`;
