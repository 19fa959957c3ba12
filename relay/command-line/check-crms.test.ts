import { writeFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { type HttpService, serveHttp } from '../../shared/server/serve-http.ts';
import { temporaryFolder } from '../../testing/relay/test-relay.ts';
import { readRelaySettings } from '../settings.ts';
import { checkCrms } from './check-crms.ts';

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

/** One line for each result, with a Redmine and a webhook as the operator's CRMs. */
async function check(answers: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const crm = await serveRedmine(answers);
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const templates = [{ preset: 'redmine', origin: crm.url }];
  await writeFile(folder.file('rules.json'), JSON.stringify({ templates }));
  const settings = readRelaySettings({
    DIALMARK_RULES_FILE: folder.file('rules.json'),
    DIALMARK_CRM_REDMINE_KIND: 'redmine',
    DIALMARK_CRM_REDMINE_URL: crm.url,
    DIALMARK_CRM_REDMINE_TOKEN: 'k',
    DIALMARK_CRM_HOOK_KIND: 'webhook',
    DIALMARK_CRM_HOOK_URL: crm.url,
    DIALMARK_CRM_HOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
  });
  return (await checkCrms(settings)).map(({ isOk, what, advice }) => `${isOk} ${what}: ${advice}`);
}

const redmine = (lines: readonly string[]) => lines.find((line) => line.includes('CRM redmine'));

it('names the right that is missing at a CRM', async () => {
  const lines = await check({ '/roles/4.json': { role: { permissions: ['view_issues'] } } });
  expect(redmine(lines)).toMatch(
    /^false CRM redmine at http\S+: Redmine as relay; what is missing: "Add notes" in Support$/,
  );
});

it('finds a CRM in order, but a webhook untested, since it is not asked without a call', async () => {
  const lines = await check({ '/roles/4.json': { role: { permissions: ['add_issue_notes'] } } });
  expect(redmine(lines)).toMatch(/^true CRM redmine at \S+: Redmine as relay$/);
  expect(lines.find((line) => line.includes('CRM hook'))).toMatch(/^untested .*not asked without a call$/);
});

it('calls rights untested where the CRM does not show them', async () => {
  const lines = await check({ '/users/current.json': { user: { login: 'relay', memberships: [] } } });
  expect(redmine(lines)).toMatch(/^untested .*Redmine as relay; a member of no project/);
});
