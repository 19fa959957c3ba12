/** The commands and files of docs/records.md, in their order, at real CRMs. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { startSandbox } from '../../../sandbox/service.ts';
import type { Call } from '../../../shared/call/call.ts';
import { root, startChild } from '../../../testing/child.ts';
import { Cleanup } from '../../../testing/cleanup.ts';
import { startRedmine } from '../../../testing/crm/real-redmine.ts';
import { startRt } from '../../../testing/crm/real-rt.ts';
import { blocksOf } from '../../../testing/document-blocks.ts';
import { startWalk } from '../../../testing/first-call-walk.ts';
import { relayProgram } from '../../../testing/relay/relay-process.ts';
import { temporaryFolder } from '../../../testing/relay/test-relay.ts';
import { freePort } from '../../../testing/servers/free-port.ts';
import { startServer } from '../../../testing/servers/start-server.ts';
import { until } from '../../../testing/until.ts';

const cleanup = new Cleanup();
afterAll(() => cleanup.run());
const startTimeoutMs = 600_000;

it.each([
  ['redmine', startRedmine],
  ['rt', startRt],
])(
  'the walk of the CRM administrator: from nothing to a logged call at %s',
  async (system, start) => {
    const crm = await start(cleanup);
    const sandbox = await startSandbox({ port: 0, speed: 100 });
    cleanup.add('the sandbox', () => sandbox.close());
    const folder = await temporaryFolder();
    cleanup.add('the folder', () => folder.remove());
    const address = `127.0.0.1:${await freePort()}`;
    const relayArgs = (line: string) => [
      process.execPath,
      relayProgram,
      ...line.replace('npm run relay -- ', '').split(' '),
    ];
    const own = (text: string) =>
      text
        .replace('https://redmine.example', crm.url)
        .replaceAll('redmine', system)
        .replaceAll('REDMINE', system.toUpperCase())
        .replace('"issue"', `"${crm.kind}"`)
        .replace('http://127.0.0.1:8787', `http://${address}`);
    const document = await readFile(`${root}/docs/records.md`, 'utf8');
    const [rules, settings, check, place, wrapUp, checkEntry] = blocksOf(document).map((lines) =>
      own(lines.join('\n')),
    );
    // What docs/operators.md has set up before.
    const operators = [
      `DIALMARK_PROVIDER_URL=${sandbox.url}`,
      `DIALMARK_PROVIDER_TOKEN=${sandbox.token}`,
      'DIALMARK_COUNTRY=BR',
      `DIALMARK_LISTEN=${address}`,
    ];
    const run = async (command: readonly string[], environment: Record<string, string> = {}) => {
      const [program, ...args] = command;
      const child = startChild([program!, ...args], { folder: folder.path, environment });
      expect([await child.exited, child.output()]).toEqual([0, expect.anything()]);
      return child.stdout();
    };

    const walk = startWalk('CRM administrator');
    const user = crm.settings.USER ? `DIALMARK_CRM_${system.toUpperCase()}_USER=${crm.settings.USER}` : '';
    await writeFile(folder.file('rules.json'), rules!);
    await writeFile(folder.file('relay.env'), [...operators, settings, user, ''].join('\n'));
    await writeFile(folder.file(`${system}.key`), crm.settings.TOKEN!);
    walk.add('files', 3);
    const relay = await startServer(relayArgs('--settings relay.env') as [string], {
      ...{ folder: folder.path, ready: 'listening on' },
    });
    cleanup.add('the relay', () => relay.stop());
    expect(await run(relayArgs(check!))).toMatch(new RegExp(`ok +CRM ${system}`));
    const key = (await run(relayArgs('--settings relay.env key add --from 1105'))).trim();
    const call = JSON.parse(await run(['bash', '-c', place!], { KEY: key })) as Call;
    expect(call.record).toMatchObject({ system, id: '1' });
    await run(['bash', '-c', wrapUp!.replace('CALL-ID', call.id)], { KEY: key });
    walk.add('commands', 3);
    const entry = () => crm.texts('1').then((texts) => texts.find((text) => text.includes(call.id)));
    expect(await until(entry, 'the entry')).toContain('Wants the contract by mail');
    await walk.end(system);
    const onRecord = checkEntry!.replace('/issues/1', crm.pattern.replace('{id}', '1'));
    expect(await run(relayArgs(onRecord))).toMatch(/ok +entry on .*written, and found by its marker/);
  },
  startTimeoutMs,
);
