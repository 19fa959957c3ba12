import { ok } from '../../messages/result.ts';
import { exampleSettings } from '../../pages/options/example-settings.ts';
import { Settings } from '../../settings.ts';
import type { OwnState } from './page-state.ts';
import { checks, emptyView, setupCode, withView } from './samples.ts';

export const options: readonly OwnState[] = [
  { name: 'Empty', replies: () => ({ 'page.settings': ok(emptyView()) }) },
  { name: 'Filled' },
  {
    name: 'Sites shown in frames of others',
    replies: () => withView(sitesInFrames()),
  },
  {
    name: 'Direct connection in plain text, rules, office hours',
    replies: () =>
      withView(
        Settings.parse({
          ...exampleSettings(),
          connection: {
            mode: 'direct',
            direct: { primaryUrl: 'http://api.example.com', returnTo: 'own', map: 'callid:id' },
          },
          numbers: {
            ...exampleSettings().numbers,
            dialRules: [{ when: { prefix: '0' }, strip: 1, prepend: '9', note: 'Outside line' }],
          },
          guard: {
            ...exampleSettings().guard,
            allowedCountries: ['AR', 'PT'],
            officeHours: { days: [1, 2, 3, 4, 5], fromMinute: 480, toMinute: 1080 },
          },
        }),
        { secrets: { agentKey: 'none', serviceToken: 'saved' } },
      ),
    steps: [{ selector: '#direct-advanced > summary' }],
  },
  {
    name: 'Set by the organisation, with a policy that is not valid',
    replies: () =>
      withView(exampleSettings(), {
        locked: ['connection', 'numbers', 'guard', 'sites.enabled', 'appearance.language'],
        managedProblems: [
          { path: 'agent.timeout', problem: 'notValid' },
          { path: 'connection.mode', problem: 'notValid', expected: ['"relay"', '"direct"'] },
          { path: 'guard.allowedCountries.0', problem: 'notValid' },
          { path: 'guard.officeHours.days.2', problem: 'notValid' },
          { path: 'sites.enabled.1', problem: 'notValid' },
          { path: 'agent.ringFor', problem: 'noSuchSetting' },
        ],
        secrets: { agentKey: 'managed', serviceToken: 'none' },
      }),
  },
  {
    name: 'A policy whose key scripts could read',
    replies: () =>
      withView(exampleSettings(), {
        locked: ['connection.mode', 'connection.relayUrl'],
        managedProblems: [{ path: 'secrets', problem: 'secretsAreReadable' }],
        secrets: { agentKey: 'none', serviceToken: 'none' },
      }),
  },
  {
    name: 'Permissions missing',
    hasPermission: false,
    replies: () =>
      withView(
        { ...exampleSettings(), appearance: { ...exampleSettings().appearance, notifications: true } },
        { missingPermission: ['crm.example.com'] },
      ),
  },
  { name: 'A setup code pasted', steps: [{ selector: '#setup-code', value: setupCode(['1105']) }] },
  {
    name: 'Numbers that are none',
    replies: () => withView(withExcludedNumbers()),
  },
  {
    name: 'Asks before changes are discarded',
    steps: [{ selector: '#agent-from', value: '1106' }, { selector: '#discard' }],
  },
  { name: 'Asks before the history is removed', steps: [{ selector: '#forget-history' }] },
  {
    name: 'An empty dial rule, and a search',
    steps: [{ selector: '#add-rule' }, { selector: '#search-settings', value: 'dial' }],
  },
  { name: 'Not saved, with a problem', steps: [{ selector: '#agent-from', value: 'no spaces please' }] },
  {
    name: 'Connection works',
    replies: () => ({ 'page.testConnection': ok({ ok: true, checks: checks() }) }),
    steps: [{ selector: '#test-connection' }],
  },
  {
    name: 'Offline: the connection fails',
    replies: () => ({ 'page.testConnection': ok({ ok: false, checks: checks('unreachable') }) }),
    steps: [{ selector: '#test-connection' }],
  },
];

function withExcludedNumbers(): Settings {
  const { sites, ...settings } = exampleSettings();
  const excludedNumbers = [
    { host: 'crm.example.com', number: '+55 11 98765-4321' },
    { host: '', number: '+55 48 3222-1000' },
  ];
  return { ...settings, sites: { ...sites, excludedNumbers } };
}

function sitesInFrames(): Settings {
  const sites = {
    enabled: ['crm.example.com', 'mail.example.com', 'helpdesk.example.net'],
    frames: [{ page: 'crm.example.com', host: 'mail.example.com' }],
  };
  return Settings.parse({ ...exampleSettings(), sites });
}
