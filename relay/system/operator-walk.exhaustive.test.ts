import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { decodeSetupCode } from '../../shared/protocol/setup-code.ts';
import { projectFile } from '../../shared/server/project-file.ts';
import { startChild } from '../../testing/child.ts';
import { blocksOf } from '../../testing/document-blocks.ts';
import { startWalk } from '../../testing/first-call-walk.ts';
import { relayProgram } from '../../testing/relay/relay-process.ts';
import { ask } from '../../testing/relay/test-relay.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { makeCertificate } from '../../testing/servers/make-certificate.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const folder = await temporaryFolder();
const closing: (() => unknown)[] = [folder.remove];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** A calling service over https that is never asked for a call. @returns its port. */
async function startProvider(certificate: { certificate: string; key: string }): Promise<number> {
  const server = createServer(
    { cert: await readFile(certificate.certificate), key: await readFile(certificate.key) },
    (_request, response) => void response.writeHead(404).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

it('the walk of the operator: from nothing to a checked relay, by docs/operators.md', async () => {
  const [settings, commands] = blocksOf(await readFile(projectFile('docs/operators.md'), 'utf8'));
  const certificate = await makeCertificate(folder.path, 'localhost', 30);
  const url = `http://127.0.0.1:${await freePort()}`;
  const given: Record<string, string> = {
    DIALMARK_PROVIDER_URL: `https://localhost:${await startProvider(certificate)}`,
    DIALMARK_PROVIDER_TOKEN: 'service-token',
    DIALMARK_PUBLIC_URL: url,
    DIALMARK_DIAL_COUNTRIES: 'BR',
  };
  expect(settings!.map((line) => line.split('=')[0])).toEqual(Object.keys(given));
  // Beside it, only where this machine may run it now.
  const lines = [...Object.entries(given), ['DIALMARK_LISTEN', new URL(url).host]];
  await writeFile(folder.file('relay.env'), lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  const options = { folder: folder.path, environment: { NODE_EXTRA_CA_CERTS: certificate.certificate } };

  const walk = startWalk('operator');
  const [install, serve, check, addKey, ...more] = commands!;
  walk.add('commands', commands!.length);
  expect([install, more]).toEqual(['npm ci', []]);
  const relay = await startServer(relayCommand(serve!), { ...options, ready: 'listening on' });
  closing.push(() => relay.stop());
  const checked = startChild(relayCommand(check!), options);
  expect([await checked.exited, checked.stdout()]).toEqual([
    0,
    expect.stringMatching(/^(ok {3}.*\n)+\? {4}service token.*\n$/),
  ]);
  const added = startChild(relayCommand(addKey!), options);
  expect(await added.exited).toBe(0);
  const setup = decodeSetupCode(added.stdout())!;
  expect(setup).toMatchObject({ relayUrl: url, callers: ['1105'] });
  expect((await ask(setup.relayUrl, '/v1/calls', { as: setup.key })).status).toBe(200);
  await walk.end();
});

/** What `npm run relay` runs, once built. */
function relayCommand(line: string): [string, ...string[]] {
  const [, words] = /^npm run (?:--silent )?relay -- (.*)$/.exec(line)!;
  return [process.execPath, relayProgram, ...words!.split(' ')];
}
