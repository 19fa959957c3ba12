/** Runs `npm start -- --crm odoo` as a user does, but with a headless Chromium. */
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '../shared/call/call.ts';
import type { Rules } from '../shared/protocol/rules.ts';
import { recordAt } from '../shared/record/template.ts';
import { ensureChromium } from '../testing/browsers/find-browsers.ts';
import type { Child } from '../testing/child.ts';
import { type AskOptions, ask, newClick } from '../testing/relay/test-relay.ts';
import { startServer } from '../testing/servers/start-server.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';

let folder: TemporaryFolder;
let demo: Child;

beforeAll(async () => {
  folder = await temporaryFolder();
  const chromium = folder.file('chromium');
  await writeFile(chromium, `#!/bin/sh\nexec '${await ensureChromium()}' --headless "$@"\n`);
  await chmod(chromium, 0o755);
  const environment = { DISPLAY: ':0', CHROMIUM_PATH: chromium, TMPDIR: folder.path };
  demo = await startServer([process.execPath, '--import', 'tsx', 'demo/main.ts', '--crm', 'odoo'], {
    ...{ ready: 'Ctrl-C ends everything', environment, ownGroup: true },
    // It builds, and starts Odoo and a browser.
    startTimeoutMs: 280_000,
  });
});
afterAll(async () => {
  await demo?.stop();
  await folder.remove();
});

/** The word that the demo prints after a name. */
const printed = (name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(demo.stdout())![1]!;

it('logs a call from the printed ticket in the real CRM, then leaves nothing at Ctrl-C', async () => {
  const ticket = printed('ticket');
  const relay = printed('relay');
  const key = /agent key (dma_\S+)/.exec(demo.stdout())![1]!;
  for (const page of [ticket, printed('CRM')]) expect((await fetch(page)).status).toBe(200);
  const succeed = async <Body>(path: string, options: AskOptions = {}) => {
    const { status, body } = await ask(relay, path, { as: key, ...options });
    expect([200, 201], JSON.stringify(body)).toContain(status);
    return body as Body;
  };
  const record = recordAt(ticket, (await succeed<Rules>('/v1/rules')).templates);
  expect(record).toMatchObject({ system: 'odoo', kind: 'res.partner' });

  const request = { body: { to: '4833224455', record }, headers: newClick() };
  const { id } = await succeed<Call>('/v1/calls', request);
  const wrapUp = { body: { outcome: 'reached' }, headers: { 'if-match': '0' } };
  await succeed(`/v1/calls/${id}/wrap-up`, { method: 'PATCH', ...wrapUp });
  const isLogged = async () => (await succeed<Call>(`/v1/calls/${id}`)).entry?.state === 'done';
  await until(isLogged, 'the entry', 180_000);

  expect(await demo.stop('SIGINT', 120_000)).toBe(0);
  await expect(fetch(relay)).rejects.toThrow();
  await expect(fetch(ticket)).rejects.toThrow();
  expect((await readdir(folder.path)).filter((name) => name.startsWith('dialmark-'))).toEqual([]);
});
