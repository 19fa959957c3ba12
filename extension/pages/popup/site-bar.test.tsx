// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { reportLoaded, tabEvents } from '../../../testing/extension/tab-updates.ts';
import { view } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { SettingsView } from '../../messages/views.ts';
import { Settings } from '../../settings.ts';

vi.mock('webextension-polyfill', () => ({ default: { tabs: tabEvents } }));
const sent: unknown[] = [];
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string, { state }: { state: string }) => {
    if (type === 'page.scanTab') return refuse('unreadable');
    sent.push(state);
    return ok(null);
  },
}));
vi.mock('../parts/host-permission.ts', () => ({ requestOrigins: async () => true }));
const { SiteBar } = await import('./site-bar.tsx');

const settings = Settings.parse({ sites: { enabled: ['crm.example', '*.helpdesk.example'] } });
async function show(host: string, site: 'enabled' | 'default', more: Partial<SettingsView> = {}) {
  const tab = { id: 1, host, site, marking: site === 'enabled' };
  await act(async () => render(<SiteBar tab={tab} view={view(settings, more)} />, document.body));
  return document.querySelector<HTMLButtonElement>('#enable-site')!;
}
const isSetByOrganisation = () => document.querySelector('#site-locked') !== null;
beforeEach(() => {
  sent.length = 0;
});

test('a site that is not on the list of the organisation cannot be turned on', async () => {
  expect((await show('other.example', 'default', { locked: ['sites.enabled'] })).disabled).toBe(true);
  expect(isSetByOrganisation()).toBe(true);
  expect((await show('other.example', 'default')).disabled).toBe(false);
  expect(isSetByOrganisation()).toBe(false);
});

test('a site on the list of the organisation is turned on where its permission is missing', async () => {
  const more = { locked: ['sites.enabled'], missingPermission: ['*.helpdesk.example'] };
  const button = await show('eu.helpdesk.example', 'default', more);
  expect(button.disabled).toBe(false);
  await act(async () => button.click());
  expect(sent).toEqual(['enabled']);
});

test('a site on the list of the organisation is turned off by a rule of the agent', async () => {
  await act(async () => (await show('crm.example', 'enabled', { locked: ['sites.enabled'] })).click());
  expect(sent).toEqual(['blocked']);
  const locked = ['sites.enabled', 'sites.blocked'];
  expect((await show('crm.example', 'enabled', { locked })).disabled).toBe(true);
  expect(isSetByOrganisation()).toBe(true);
});

test('the focus goes from the switch of a site that is blocked by its press to the title', async () => {
  (await show('eu.helpdesk.example', 'enabled')).focus();
  await act(async () => document.querySelector<HTMLElement>('#enable-site')!.click());
  expect(sent).toEqual(['blocked']);
  expect(document.activeElement!.id).toBe('site-title');
});

test('a refusal of one page is no longer shown once its tab has loaded another', async () => {
  await show('other.example', 'default');
  await act(async () => document.querySelector<HTMLElement>('#scan-tab')!.click());
  expect(document.querySelector('[role=alert]')).not.toBeNull();
  for (const isOwn of [false, true]) {
    await act(async () => reportLoaded(isOwn ? 1 : 2));
    expect(document.querySelector('[role=alert]') === null).toBe(isOwn);
  }
});
