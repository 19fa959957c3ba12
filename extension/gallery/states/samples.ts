/** Settings, calls and replies that the states are made of. */
import { defaultRules } from '../../../shared/protocol/rules.ts';
import { encodeSetupCode } from '../../../shared/protocol/setup-code.ts';
import { defaultOutcomes } from '../../../shared/record/wrap-up.ts';
import { sentenceOf } from '../../background/calls/call-words.ts';
import { dayAndTime, durationInWords, when } from '../../format.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type {
  HistoryEntry,
  JudgedNumber,
  KnownNumber,
  PanelState,
  PersonView,
  SettingsView,
} from '../../messages/views.ts';
import type { DayView } from '../../messages/wrap-up.ts';
import { exampleSettings } from '../../pages/options/example-settings.ts';
import { Settings } from '../../settings.ts';
import { text } from '../../text.ts';
import { appearance, type PageState, type Replies } from './page-state.ts';

export const broken = refuse('internal', 'The gallery says so.');

export function view(settings: Settings = exampleSettings(), more: Partial<SettingsView> = {}): SettingsView {
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

export const emptyView = () =>
  view(Settings.parse({}), { secrets: { agentKey: 'none', serviceToken: 'none' } });
export const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export function sampleEntry(
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

export const answered = () =>
  sampleEntry('+55 48 3222-1000', { reason: 'hangUp', talkSeconds: 84, totalSeconds: 91 });
export const ringing = () =>
  sampleEntry('+55 11 98765-4321', { state: 'callingCaller', createdAt: ago(0.2) });
export const notPlaced = () =>
  sampleEntry('+55 21 2555-0100', {
    createdAt: ago(118),
    state: 'failed',
    reason: 'notSent',
    error: { code: 'unreachable', message: '' },
  });
export const mayRing = () => sampleEntry('+55 47 3025-7788', { state: 'unknown', reason: 'notAnswered' });
export const history = () => [
  answered(),
  sampleEntry(
    '+55 48 3333-2020',
    {
      reason: 'hangUp',
      talkSeconds: 312,
      createdAt: ago(60),
      recordingUrl: 'https://relay.example.com/a.mp3',
    },
    { note: 'Call back on Monday about the invoice.' },
  ),
  sampleEntry('+351 21 123 4567', { state: 'failed', reason: 'callerNoAnswer', createdAt: ago(95) }),
  notPlaced(),
  sampleEntry('+55 47 3025-7788', { state: 'unknown', reason: 'notAnswered', createdAt: ago(1_500) }),
];

/** What the tab shows where the team's templates know its address. */
export const shownTicket = {
  record: { system: 'rt', kind: 'ticket', id: '4711' },
  label: 'ticket 4711 · rt',
};
export function panel(more: Partial<PanelState> = {}): PanelState {
  const tab = { id: 1, host: 'crm.example.com', site: 'enabled', marking: true } as const;
  const counts = { lostToday: 1, withoutOutcome: 2, recordsToChoose: [] };
  return { from: '1105', live: null, recent: history(), follow: 'idle', tab, ...counts, ...more };
}

export const judged = {
  display: '+55 48 3222-1000',
  to: '4832221000',
  country: 'BR',
  verdict: 'allow',
} as const;
export const judgedAbroad = (): JudgedNumber => ({
  ...{ display: '+351 21 123 4567', to: '00351211234567', country: 'PT', place: 'Portugal' },
  ...{ verdict: 'confirm', reason: text('guard_abroad', 'Portugal') },
});
const sampleNumbers = ok([
  {
    source: { text: '(48) 3222-1000', contextWords: 'none' as const },
    number: judged,
    context: 'Ana Souza, sales',
    name: 'Ana Souza, sales',
    host: 'crm.example.com',
  },
]);
const chip = () => {
  const { id, display, call, sentence } = ringing();
  const { createdAt } = call;
  return ok({ id, display, state: 'callingCaller' as const, sentence, createdAt, changedAt: createdAt });
};

/** Replies with these settings. */
export const withView = (settings?: Settings, more?: Partial<SettingsView>): Replies => ({
  'page.settings': ok(view(settings, more)),
});
export const panelWith = (more: Partial<PanelState> = {}): Replies => ({ 'page.state': ok(panel(more)) });
export const day = (more: Partial<DayView> = {}): DayView => ({
  ...{ calls: 42, answered: 19, talkSeconds: 5025, withoutOutcome: 3, callbacks: 2 },
  outcomes: defaultOutcomes.slice(0, 4).map((outcome, index) => ({ outcome, count: 17 - 4 * index })),
  ...more,
});
/** The background's replies in a state. */
export const repliesIn = (state: PageState): Replies => ({
  'page.settings': ok(view()),
  ...panelWith(),
  'page.judge': ok(judged),
  'page.numbersOnPage': sampleNumbers,
  'page.framesOnPage': ok([]),
  'page.extensionOnPage': ok(null),
  'page.excludeNumber': ok(view()),
  'page.dial': chip(),
  'page.rules': ok(defaultRules),
  'page.knownNumbers': ok([]),
  'page.findPeople': ok(people()),
  'page.callbacks': ok([]),
  'page.myDay': ok(day()),
  'page.recordCandidates': ok([]),
  'page.history': ok({ entries: history().slice(0, 2) }),
  ...state.replies?.(),
});
export const call = { query: { u: 'tel:+554832221000' } };
export const checks = (cause?: 'unreachable') => [
  {
    what: 'relay' as const,
    url: 'https://relay.example.com/',
    ok: cause === undefined,
    ...(cause && { cause }),
    sentence: cause ? text(`cause_${cause}`, 'relay.example.com') : text('cause_ok_relay'),
  },
];

export const setupCode = (callers: string[]) =>
  encodeSetupCode({ relayUrl: 'https://relay.example.com', callers, key: `dma_${'x'.repeat(43)}` });

export const people = (): PersonView[] => [
  { name: 'Ana Prado', organisation: 'Acme', label: 'work', display: '+55 48 3222-1000' },
  { name: 'Ana Prado', organisation: 'Acme', label: 'cell', display: '+55 48 99999-8888' },
  { name: 'Anabela Couto', organisation: 'Transportes do Vale Ltda.', display: '2201' },
];
export const knownStates = ['talked', 'leased', 'doNotCall'] as const;
export const known = (): Record<(typeof knownStates)[number], KnownNumber> => ({
  talked: {
    name: 'Ana Prado, Acme',
    lastTalk: text('known_lastTalk', 'Rui', when(ago(1500)), durationInWords(240)),
  },
  leased: { name: 'Acme (8)', lease: text('known_lease', 'Marta') },
  doNotCall: { name: 'Bruno Lima', refusal: text('known_doNotCall', 'Rui', dayAndTime(ago(90))) },
});

export const mayOverride = (): KnownNumber => ({ ...known().doNotCall, mayOverride: true });
export const overridable = (): Result<never> => ({
  ok: false,
  error: { code: 'refusedByGuard', detail: known().doNotCall.refusal, mayOverride: true },
});
export const asks = () => refuse('confirmFirst', text('guard_abroad', 'Portugal'));
export const calledAgo = () => refuse('confirmFirst', text('guard_calledAgo', 40));
export const sampleRefusal = () => refuse('relayUnreachable');
