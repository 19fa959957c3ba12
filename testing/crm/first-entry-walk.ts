/** Follows docs/records.md at a real CRM: writes its files and runs its commands, in their order. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { startSandbox } from '../../sandbox/service.ts';
import type { Call } from '../../shared/call/call.ts';
import { root, startChild } from '../child.ts';
import { Cleanup } from '../cleanup.ts';
import { blocksOf } from '../document-blocks.ts';
import { startWalk } from '../first-call-walk.ts';
import { relayProgram } from '../relay/relay-process.ts';
import { freePort } from '../servers/free-port.ts';
import { startServer } from '../servers/start-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import type { RealCrm } from './real-crm.ts';

const startTimeoutMs = 600_000;

/** Adds the test of one system. `bench/walks` finds the test by its title. */
export function walkToFirstEntry(
  title: string,
  system: string,
  start: (cleanup: Cleanup) => Promise<RealCrm>,
): void {
  const cleanup = new Cleanup();
  afterAll(() => cleanup.run());
  it(title, () => walk(system, start, cleanup), startTimeoutMs);
}

async function walk(
  system: string,
  start: (cleanup: Cleanup) => Promise<RealCrm>,
  cleanup: Cleanup,
): Promise<void> {
  const crm = await start(cleanup);
  const [id] = crm.records;
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
      .replace('"issue", "id": "1"', `"${crm.kind}", "id": "${id}"`)
      .replace('http://127.0.0.1:8787', `http://${address}`);
  const document = await readFile(`${root}/docs/records.md`, 'utf8');
  const [rules, settings, check, place, wrapUp, checkEntry] = blocksOf(document).map((lines) =>
    own(lines.join('\n')),
  );
  // The settings that docs/operators.md has explained before.
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

  const effort = startWalk('CRM administrator');
  // Counts each file and command of docs/records.md. The document does not give a command for the relay's restart,
  // because that depends on the installation.
  const write = (name: string, text: string) => {
    effort.add('files');
    return writeFile(folder.file(name), text);
  };
  const type = (command: readonly string[], environment?: Record<string, string>) => {
    effort.add('commands');
    return run(command, environment);
  };
  const login = (['USER', 'DATABASE'] as const)
    .filter((name) => crm.settings[name])
    .map((name) => `DIALMARK_CRM_${system.toUpperCase()}_${name}=${crm.settings[name]}`);
  const template =
    system === 'tryton' ? rules!.replace('}', `, "database": "${crm.settings.DATABASE}"}`) : rules!;
  await write('rules.json', template);
  await write('relay.env', [...operators, settings, ...login, ''].join('\n'));
  await write(`${system}.key`, crm.settings.TOKEN!);
  const relay = await startServer(relayArgs('--settings relay.env') as [string], {
    ...{ folder: folder.path, ready: 'listening on' },
  });
  cleanup.add('the relay', () => relay.stop());
  expect(await type(relayArgs(check!))).toMatch(new RegExp(`ok +CRM ${system}`));
  const key = (await run(relayArgs('--settings relay.env key add --from 1105'))).trim();
  const call = JSON.parse(await type(['bash', '-c', place!], { KEY: key })) as Call;
  expect(call.record).toMatchObject({ system, id });
  await type(['bash', '-c', wrapUp!.replace('CALL-ID', call.id)], { KEY: key });
  const entry = () => crm.texts(id).then((texts) => texts.find((text) => text.includes(call.id)));
  expect(await until(entry, 'the entry')).toContain('Wants the contract by mail');
  await effort.end(system);
  const onRecord = checkEntry!.replace('/issues/1', crm.pattern.replace('{id}', id));
  expect(await run(relayArgs(onRecord))).toMatch(/ok +entry on .*written, and found by its marker/);
}
