/** Every state of the extension's pages: what the background replies in it, and what a person does to get there. */

import { encodeSetupCode } from '../../shared/protocol/setup-code.ts';
import { sentenceOf } from '../background/calls/call-words.ts';
import type { PageMessage, PageReply } from '../messages/pages.ts';
import { ok, type Result, refuse } from '../messages/result.ts';
import type { HistoryEntry, JudgedNumber, PanelState, SettingsView } from '../messages/views.ts';
import { exampleSettings } from '../pages/options/example-settings.ts';
import { Settings } from '../settings.ts';
import { languages, text } from '../text.ts';

export const pages = ['options', 'popup', 'call', 'welcome', 'registration', 'privacy'] as const;
export const themes = ['light', 'dark'] as const;
type Replies = { [M in PageMessage]?: Result<PageReply<M>> };

interface PageState {
  page: (typeof pages)[number];
  name: string;
  /** In place of those of a page that has everything, see `repliesIn`. */
  replies?(): Replies;
  /** Requests without a reply. */
  pending?: readonly PageMessage[];
  /** Further parameters of the page's address. */
  query?: Record<string, string>;
  /** Whether the browser grants host permissions; yes by default. */
  hasPermission?: boolean;
  /** Fields to fill and, where there is no value, elements to click, in order. */
  steps?: readonly { selector: string; value?: string }[];
  loginReply?: { status: number; body: unknown } | 'unreachable';
}

const address = new URLSearchParams(globalThis.location?.search ?? '');
export const appearance = {
  theme: themes.find((theme) => theme === address.get('theme')) ?? 'auto',
  language: languages.find((language) => language === address.get('lang')) ?? '',
} as const;

const broken = refuse('internal', 'The gallery says so.');

function view(settings: Settings = exampleSettings(), more: Partial<SettingsView> = {}): SettingsView {
  return {
    settings: { ...settings, appearance: { ...settings.appearance, ...appearance } },
    locked: [],
    managedProblems: [],
    secrets: { agentKey: 'saved', serviceToken: 'none' },
    missingPermission: [],
    marksAnySite: settings.sites.enabled.length > 0,
    ...more,
  };
}

const emptyView = () => view(Settings.parse({}), { secrets: { agentKey: 'none', serviceToken: 'none' } });
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function entry(
  display: string,
  call: Partial<HistoryEntry['call']>,
  more: Partial<HistoryEntry> = {},
): HistoryEntry {
  const id = display.replace(/\D/g, '').padEnd(22, 'A');
  const full = {
    ...{
      id,
      from: '1105',
      to: display.replace(/\D/g, ''),
      state: 'disconnected',
      createdAt: ago(9),
      revision: 3,
    },
    ...call,
  } as HistoryEntry['call'];
  const record = { call: full, followed: 'relay', request: { from: full.from, to: full.to } };
  return {
    ...{ id, call: full, display, note: '', followed: 'relay' },
    sentence: sentenceOf(record as Parameters<typeof sentenceOf>[0]),
    ...more,
  };
}

const answered = () => entry('+55 48 3222-1000', { reason: 'hangUp', talkSeconds: 84, totalSeconds: 91 });
const ringing = () => entry('+55 11 98765-4321', { state: 'callingCaller', createdAt: ago(0.2) });
const notPlaced = () =>
  entry('+55 21 2555-0100', {
    createdAt: ago(118),
    state: 'failed',
    reason: 'notSent',
    error: { code: 'unreachable', message: '' },
  });
const mayRing = () => entry('+55 47 3025-7788', { state: 'unknown', reason: 'notAnswered' });
const history = () => [
  answered(),
  entry(
    '+55 48 3333-2020',
    {
      reason: 'hangUp',
      talkSeconds: 312,
      createdAt: ago(60),
      recordingUrl: 'https://relay.example.com/a.mp3',
    },
    { note: 'Call back on Monday about the invoice.' },
  ),
  entry('+351 21 123 4567', { state: 'failed', reason: 'callerNoAnswer', createdAt: ago(95) }),
  notPlaced(),
  entry('+55 47 3025-7788', { state: 'unknown', reason: 'notAnswered', createdAt: ago(1_500) }),
];

function panel(more: Partial<PanelState> = {}): PanelState {
  const tab = { id: 1, host: 'crm.example.com', site: 'enabled', marking: true } as const;
  return { from: '1105', live: null, recent: history(), lostToday: 1, follow: 'idle', tab, ...more };
}

const judged = { display: '+55 48 3222-1000', to: '4832221000', country: 'BR', verdict: 'allow' } as const;
const judgedAbroad = (): JudgedNumber => ({
  ...{ display: '+351 21 123 4567', to: '00351211234567', country: 'PT', place: 'Portugal' },
  ...{ verdict: 'confirm', reason: text('guard_abroad', 'Portugal') },
});
const numbersOnPage = ok([
  {
    source: { text: '(48) 3222-1000', contextWords: 'none' as const },
    number: judged,
    context: 'Ana Souza, sales',
    host: 'crm.example.com',
  },
]);
const chip = () => {
  const { id, display, call, sentence } = ringing();
  const { createdAt } = call;
  return ok({ id, display, state: 'callingCaller' as const, sentence, createdAt, changedAt: createdAt });
};

const panelWith = (more: Partial<PanelState> = {}): Replies => ({ 'page.state': ok(panel(more)) });
/** The background's replies in a state. */
export const repliesIn = (state: PageState): Replies => ({
  'page.settings': ok(view()),
  ...panelWith(),
  'page.judge': ok(judged),
  'page.numbersOnPage': numbersOnPage,
  'page.framesOnPage': ok([]),
  'page.extensionOnPage': ok(null),
  'page.excludeNumber': ok(view()),
  'page.dial': chip(),
  'page.history': ok({ entries: history().slice(0, 2) }),
  ...state.replies?.(),
});
const call = { query: { u: 'tel:+554832221000' } };
const checks = (cause?: 'unreachable') => [
  {
    what: 'relay' as const,
    url: 'https://relay.example.com/',
    ok: cause === undefined,
    ...(cause && { cause }),
    sentence: cause ? text(`cause_${cause}`, 'relay.example.com') : text('cause_ok_relay'),
  },
];

const setupCode = (callers: string[]) =>
  encodeSetupCode({ relayUrl: 'https://relay.example.com', callers, key: `dma_${'x'.repeat(43)}` });

const options: Omit<PageState, 'page'>[] = [
  { name: 'Empty', replies: () => ({ 'page.settings': ok(emptyView()) }) },
  { name: 'Filled' },
  {
    name: 'Sites shown in frames of others',
    replies: () => ({ 'page.settings': ok(view(sitesInFrames())) }),
  },
  {
    name: 'Direct connection in plain text, rules, office hours',
    replies: () => ({
      'page.settings': ok(
        view(
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
      ),
    }),
    steps: [{ selector: '#direct-advanced > summary' }],
  },
  {
    name: 'Set by the organisation, with a policy that is not valid',
    replies: () => ({
      'page.settings': ok(
        view(exampleSettings(), {
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
      ),
    }),
  },
  {
    name: 'A policy whose key scripts could read',
    replies: () => ({
      'page.settings': ok(
        view(exampleSettings(), {
          locked: ['connection.mode', 'connection.relayUrl'],
          managedProblems: [{ path: 'secrets', problem: 'secretsAreReadable' }],
          secrets: { agentKey: 'none', serviceToken: 'none' },
        }),
      ),
    }),
  },
  {
    name: 'Permissions missing',
    hasPermission: false,
    replies: () => ({
      'page.settings': ok(view(exampleSettings(), { missingPermission: ['crm.example.com'] })),
    }),
  },
  { name: 'A setup code pasted', steps: [{ selector: '#setup-code', value: setupCode(['1105']) }] },
  {
    name: 'Numbers that are none',
    replies: () => ({ 'page.settings': ok(view(withExcludedNumbers())) }),
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

const dialSteps = [{ selector: '#dial-input', value: '+351 21 123 4567' }, { selector: '#dial-button' }];
const popup: Omit<PageState, 'page'>[] = [
  {
    name: 'Empty: not set up',
    replies: () => {
      const { from: _, tab: __, ...rest } = panel({ problem: 'notConfigured', recent: [] });
      return { 'page.settings': ok(emptyView()), 'page.state': ok(rest) };
    },
  },
  { name: 'Filled' },
  {
    name: 'Other sites in the page',
    replies: () => ({ 'page.framesOnPage': ok(['mail.example.com', 'chat.example.net']) }),
  },
  {
    name: 'A number that is none, and an extension that the settings do not know',
    replies: () => ({ 'page.extensionOnPage': ok('Ramal 2201') }),
    steps: [{ selector: '.exclude-number' }],
  },
  { name: 'Ringing', replies: () => panelWith({ live: ringing(), follow: 'open' }) },
  { name: 'Answered', replies: () => panelWith({ live: answered() }) },
  { name: 'Not placed', replies: () => panelWith({ live: notPlaced() }) },
  { name: 'Outcome unknown', replies: () => panelWith({ live: mayRing(), follow: 'offline' }) },
  {
    name: 'Filled: a call opened, its recording played, asked to delete it',
    steps: [
      { selector: '#recent li:nth-child(2) summary' },
      { selector: '#recent li:nth-child(2) .play-recording' },
      { selector: '#recent li:nth-child(2) .delete-call' },
    ],
  },
  { name: 'Offline during a call', replies: () => panelWith({ live: ringing(), follow: 'offline' }) },
  { name: 'Key not accepted', replies: () => panelWith({ problem: 'wrongKey', follow: 'wrongKey' }) },
  {
    name: 'Permission missing, site not enabled',
    hasPermission: false,
    replies: () => {
      const tab = { id: 1, host: 'crm.example.com', site: 'default', marking: false } as const;
      return panelWith({ problem: 'noPermission', problemDetail: 'relay.example.com', tab });
    },
  },
  {
    name: 'Asks before the call',
    replies: () => ({ 'page.judge': ok(judgedAbroad()), 'page.dial': asks() }),
    steps: dialSteps,
  },
  {
    name: 'Error: the call was refused',
    replies: () => ({ 'page.judge': ok(judgedAbroad()), 'page.dial': refused() }),
    steps: dialSteps,
  },
  { name: 'Loading the panel', pending: ['page.state'] },
  { name: 'Error in the panel', replies: () => ({ 'page.state': broken }) },
];
const asks = () => refuse('confirmFirst', text('guard_abroad', 'Portugal'));
const calledAgo = () => refuse('confirmFirst', text('guard_calledAgo', 40));
const refused = () => refuse('relayUnreachable');

const callPage: Omit<PageState, 'page'>[] = [
  { name: 'Empty: no number' },
  { name: 'Filled', ...call },
  {
    name: 'Empty: not set up',
    replies: () => panelWith({ problem: 'notConfigured', recent: [] }),
    ...call,
  },
  {
    name: 'Permission missing',
    hasPermission: false,
    replies: () => panelWith({ problem: 'noPermission', problemDetail: 'relay.example.com' }),
    ...call,
  },
  {
    name: 'A number abroad',
    replies: () => ({ 'page.judge': ok(judgedAbroad()) }),
    query: { u: 'tel:+351211234567' },
  },
  { name: 'Not a number', replies: () => ({ 'page.judge': ok(null) }), query: { u: 'tel:hello' } },
  {
    name: 'Refused by the guard',
    replies: () => ({
      'page.judge': ok({ ...judged, verdict: 'refuse', reason: text('guard_officeHours') }),
    }),
    ...call,
  },
  {
    name: 'Asks before the call',
    replies: () => ({ 'page.dial': calledAgo() }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Offline: the relay is not reached',
    replies: () => ({ 'page.dial': refused() }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Ended',
    replies: () => {
      // The call that the click places is the one that has ended.
      const { id } = ringing();
      return panelWith({ live: { ...answered(), id } });
    },
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  {
    name: 'Ringing',
    replies: () => panelWith({ live: ringing(), follow: 'open' }),
    ...call,
    steps: [{ selector: '#call-button' }],
  },
  { name: 'Loading the number', pending: ['page.judge'], ...call },
  { name: 'Error of the number', replies: () => ({ 'page.judge': broken }), ...call },
];

const welcome: Omit<PageState, 'page'>[] = [
  {
    name: 'Empty: first run',
    replies: () => ({
      'page.settings': ok(emptyView()),
      'page.state': ok(panel({ problem: 'notConfigured', recent: [] })),
    }),
  },
  {
    name: 'A setup code pasted',
    replies: () => ({
      'page.settings': ok(emptyView()),
      'page.state': ok(panel({ problem: 'notConfigured', recent: [] })),
    }),
    steps: [{ selector: '#setup-code', value: setupCode(['1105', '1106']) }],
  },
  {
    name: 'Filled: all done',
    replies: () => ({ 'page.testConnection': ok({ ok: true, checks: checks() }) }),
  },
  {
    name: 'Offline: the relay is not reached',
    replies: () => ({
      'page.state': ok(panel({ recent: [] })),
      'page.testConnection': ok({ ok: false, checks: checks('unreachable') }),
    }),
  },
  {
    name: 'Permission missing, set by the organisation',
    hasPermission: false,
    replies: () => ({
      'page.settings': ok(
        view(exampleSettings(), { locked: ['connection'], missingPermission: ['crm.example.com'] }),
      ),
      'page.state': ok(panel({ problem: 'noPermission', problemDetail: 'relay.example.com', recent: [] })),
    }),
  },
  {
    name: 'Set by the organisation',
    replies: () => ({
      'page.state': ok(panel({ recent: [] })),
      'page.settings': ok(view(exampleSettings(), { locked: ['connection'] })),
      'page.testConnection': ok({ ok: true, checks: checks() }),
    }),
  },
];

const loginSteps = [
  { selector: '#device-uuid', value: '0b5e1c1e-2f6b-4f0e-9c5a-3f1c8b7a6d5e' },
  { selector: '#register-api-url', value: 'https://register.example.com' },
  { selector: '#email', value: 'admin@example.com' },
  { selector: '#password', value: 'not a real password' },
  { selector: '#login' },
];
const account = { id: 7, email: 'admin@example.com', first_name: 'Ana', last_name: 'Souza' };
const keysReply = {
  code: 200,
  status: 'success',
  details: { ...account, client_key: 'client-0123456789', api_key: 'api-0123456789', settings: [] },
};
const registration: Omit<PageState, 'page'>[] = [
  { name: 'Empty' },
  {
    name: 'Filled: keys to store',
    steps: loginSteps,
    loginReply: { status: 200, body: keysReply },
  },
  {
    name: 'Filled: asks before the keys are forgotten',
    steps: [...loginSteps, { selector: '#forget' }],
    loginReply: { status: 200, body: keysReply },
  },
  {
    name: 'Error: the login was refused',
    steps: loginSteps,
    loginReply: { status: 401, body: { code: 401, status: 'error', message: 'wrong password' } },
  },
  { name: 'Error: the service is down', steps: loginSteps, loginReply: { status: 503, body: {} } },
  { name: 'Offline', steps: loginSteps, loginReply: 'unreachable' },
];

const ofEveryPage: Omit<PageState, 'page'>[] = [
  { name: 'Loading', pending: ['page.settings'] },
  { name: 'Error: no reply', replies: () => ({ 'page.settings': broken }) },
];

export const states: readonly PageState[] = Object.entries({
  options,
  popup,
  call: callPage,
  welcome,
  registration,
  privacy: [{ name: 'Filled' }],
}).flatMap(([page, own]) =>
  [...own, ...ofEveryPage].map((state) => ({ page: page as PageState['page'], ...state })),
);

/** Address of a page in a state, in the gallery. */
export function stateAddress({ page, name, query }: PageState, theme: string, lang: string): string {
  return `/extension/pages/${page}/index.html?${new URLSearchParams({ ...query, state: name, theme, lang })}`;
}

/** The state that this document's address names. */
export function findState(): PageState {
  const page = location.pathname.split('/').at(-2);
  const name = address.get('state');
  const found = states.find((state) => state.page === page && (name === null || state.name === name));
  if (!found) throw new Error(`no state "${name}" of the page "${page}" in the gallery`);
  return found;
}
