import { writeFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { type FakeRedmine, startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import { type HttpService, serveHttp } from '../../testing/servers/serve-http.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type RelaySettings, readRelaySettings } from '../settings.ts';
import { checkCrms, checkEntry } from './check-crms.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A Redmine with one project, in which the relay's user has one role. @param answers further ones, by path. */
async function serveRedmine(answers: Readonly<Record<string, unknown>>): Promise<HttpService> {
  const membership = { project: { name: 'Support' }, roles: [{ id: 4 }] };
  const all: Record<string, unknown> = {
    '/users/current.json': { user: { login: 'relay', memberships: [membership] } },
    '/issues.json': { issues: [] },
    ...answers,
  };
  const server = await serveHttp((request, response) => {
    const answer = all[request.url!.split('?')[0]!];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  stops.push(() => server.close());
  return server;
}

/** One line for each result. */
async function check(answers: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const crm = await serveRedmine(answers);
  const settings = await settingsFor(crm.url);
  return (await checkCrms(settings)).map(({ isOk, what, advice }) => `${isOk} ${what}: ${advice}`);
}

/** With a Redmine and a webhook as the operator's CRMs. */
async function settingsFor(url: string): Promise<RelaySettings> {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const templates = [{ preset: 'redmine', origin: url }];
  await writeFile(folder.file('rules.json'), JSON.stringify({ templates }));
  return readRelaySettings({
    DIALMARK_RULES_FILE: folder.file('rules.json'),
    DIALMARK_CRM_REDMINE_KIND: 'redmine',
    DIALMARK_CRM_REDMINE_URL: url,
    DIALMARK_CRM_REDMINE_TOKEN: 'k',
    DIALMARK_CRM_HOOK_KIND: 'webhook',
    DIALMARK_CRM_HOOK_URL: url,
    DIALMARK_CRM_HOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
  });
}

const redmine = (lines: readonly string[]) => lines.find((line) => line.includes('CRM redmine'));

it.each([[{}], [{ user: null }], [[]]])(
  'says of a CRM that answers %j that another program answers there',
  async (answer) => {
    const lines = await check({ '/users/current.json': answer, '/issues.json': answer });
    expect(redmine(lines)).toMatch(
      /^false CRM redmine at http\S+: it answers, but not as its _KIND does; see _KIND and _URL \(/,
    );
  },
);

it('names the path of a rules file that it cannot use, once', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  await writeFile(folder.file('wrong.json'), '{');
  for (const name of ['none.json', 'wrong.json']) {
    const [rules] = await checkCrms(readRelaySettings({ DIALMARK_RULES_FILE: folder.file(name) }));
    expect(rules).toMatchObject({ isOk: false, what: 'rules' });
    expect(rules!.advice!.split(folder.file(name))).toHaveLength(2);
  }
});

it('names the right that is missing at a CRM', async () => {
  const lines = await check({ '/roles/4.json': { role: { permissions: ['view_issues'] } } });
  expect(redmine(lines)).toMatch(
    /^false CRM redmine at http\S+: Redmine as relay; what is missing: "Add notes" in Support for relay$/,
  );
});

it('finds a CRM in order, but a webhook untested, since it is not asked without a call', async () => {
  const lines = await check({ '/roles/4.json': { role: { permissions: ['add_issue_notes'] } } });
  expect(redmine(lines)).toMatch(/^true CRM redmine at \S+: Redmine as relay$/);
  expect(lines.find((line) => line.includes('CRM hook'))).toMatch(/^untested .*not asked without a call$/);
});

it('calls rights untested where the CRM does not show them', async () => {
  const lines = await check({ '/users/current.json': { user: { login: 'relay', memberships: [] } } });
  expect(redmine(lines)).toMatch(/^untested .*Redmine as relay; relay is in no project/);
});

/** Writes an entry of `check` on an issue. @returns the result's line, and what the issue has then. */
async function checkEntryOn(issue: string, ...faults: Parameters<FakeRedmine['failNext']>) {
  const crm = await startFakeRedmine('4711');
  stops.push(() => crm.stop());
  crm.failNext(...faults);
  const settings = await settingsFor(crm.url);
  const { isOk, advice } = await checkEntry(settings, `${crm.url}/issues/${issue}`);
  return { line: `${isOk} ${advice}`, notes: crm.notes('4711') };
}

it('writes one entry that says that it is a test, with a marker of its own', async () => {
  const { line, notes } = await checkEntryOn('4711');
  expect(line).toMatch(/^true written, and found by its marker dialmark:check-[\w-]{22}: http\S+#change-1$/);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/^This is a test by Dialmark.*\ndialmark:check-[\w-]{22}$/);
});

it('names why an entry of a check is not written', async () => {
  expect((await checkEntryOn('9999')).line).toBe('false the record is not there, or not shown to this user');
  expect((await checkEntryOn('4711', 'forbidden')).line).toBe('false it refuses this user; see its rights');
  expect((await checkEntryOn('4711', 'cutAfter')).line).toMatch(
    /^false connectionLost; an entry may be there, look for dialmark:check-/,
  );
});

it('writes no entry of a check where no template or no connector fits', async () => {
  expect((await checkEntryOn('none')).line).toMatch(/^false no template of DIALMARK_RULES_FILE fits/);
  const { crms: _none, ...rest } = await settingsFor('https://redmine.example');
  const unlogged = await checkEntry({ ...rest, crms: [] }, 'https://redmine.example/issues/1');
  expect(unlogged).toMatchObject({ isOk: false, advice: expect.stringMatching('names no system redmine') });
});

it.each(['hook', 'redmine'])(
  'writes no entry of a check where the webhook %s logs the record',
  async (name) => {
    const settings = await settingsFor('https://redmine.example');
    const hooks = settings.crms.filter(({ kind }) => kind === 'webhook');
    const crms = hooks.map((hook) => ({ ...hook, name }));
    const { isOk, advice } = await checkEntry({ ...settings, crms }, 'https://redmine.example/issues/1');
    expect(`${isOk} ${advice}`).toBe(
      `untested its calls are logged at the webhook ${name} alone, which gets no entry without a call`,
    );
  },
);
