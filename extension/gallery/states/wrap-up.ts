/** The popup with the wrap-up of the last call, its entry in the CRM, and callbacks. */
import { ok, refuse } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import type { Callback } from '../../messages/wrap-up.ts';
import type { OwnState, Replies } from './page-state.ts';
import { ago, broken, day, history, panelWith, ringing, sampleEntry } from './samples.ts';

type CallFields = Partial<HistoryEntry['call']>;
const record = {
  ...{ system: 'redmine', kind: 'issue', id: '4711' },
  url: 'https://crm.example.com/issues/4711',
};
const note = 'Wants a quote for 40 seats. Ask for Ana in purchasing, she is in from 2 pm.';
const saved = { outcome: 'reached', note, revision: 1 };

function last(fields: CallFields = {}, more: Partial<HistoryEntry> = {}): HistoryEntry {
  const call = { reason: 'hangUp', talkSeconds: 84, createdAt: ago(3), ...fields } as const;
  return sampleEntry('+55 48 3222-1000', call, { hasWrapUp: true, ...more });
}
const withLast = (newest: HistoryEntry): Replies => panelWith({ recent: [newest, ...history().slice(1)] });
const state = (name: string, fields: CallFields, more: Partial<OwnState> = {}): OwnState => ({
  name: `Wrap-up: ${name}`,
  replies: () => withLast(last(fields)),
  ...more,
});
const entryState = (
  stateOfEntry: NonNullable<HistoryEntry['call']['entry']>['state'],
  more: { reason?: string; url?: string } = {},
) => ({
  record,
  wrapUp: saved,
  entry: { state: stateOfEntry, system: 'redmine', ...more },
});
const several = { state: 'needsAgent', system: '', reason: 'severalRecords' } as const;
const partner = (id: string, name: string) => ({
  record: { system: 'odoo', kind: 'res.partner', id, url: `https://crm.example.com/web#id=${id}` },
  ...{ name, organisation: 'Acme' },
});
const candidates: Replies = {
  'page.recordCandidates': ok([partner('7', 'Ana Prado'), partner('12', 'Bruno Lima')]),
};
const callbacks = (): Callback[] => [
  {
    call: last({ wrapUp: { revision: 2, callBackAt: ago(30), note } }).call,
    ...{ display: '+55 48 3222-1000', isOwn: true },
  },
  {
    call: {
      ...ringing().call,
      ...{ state: 'disconnected', record, wrapUp: { revision: 1, callBackAt: ago(-120) } },
    },
    ...{ display: '11987654321', isOwn: false },
  },
];

export const wrapUpStates: readonly OwnState[] = [
  {
    name: 'Wrap-up: during the call',
    replies: () => {
      const live = { ...ringing(), hasWrapUp: true };
      return panelWith({ live, recent: [live, ...history()], follow: 'open' });
    },
  },
  state('empty', { record, entry: { state: 'waiting', system: 'redmine' } }),
  {
    name: 'Wrap-up: to be called again',
    replies: () => {
      const wrapUp = { outcome: 'callAgain', callBackAt: ago(-60), revision: 1 };
      return { ...withLast(last()), 'page.wrapUp': ok({ call: last({ wrapUp }).call, isOutdated: false }) };
    },
    steps: [{ selector: '[data-code=callAgain]' }],
  },
  {
    name: 'Wrap-up: a note of this browser, and one not saved yet',
    replies: () => withLast(last({}, { note: 'Call back on Monday about the invoice.' })),
    steps: [{ selector: '.wrap-up textarea', value: note }],
  },
  {
    name: 'Wrap-up: changed elsewhere',
    replies: () => {
      const theirs = { ...saved, outcome: 'notInterested', note: 'Not interested, says Bruno.', revision: 2 };
      return {
        ...withLast(last()),
        'page.wrapUp': ok({ call: last({ wrapUp: theirs }).call, isOutdated: true }),
      };
    },
    steps: [{ selector: '.wrap-up textarea', value: note }, { selector: '.save-wrap-up' }],
  },
  {
    name: 'Wrap-up: offline',
    replies: () => ({
      ...withLast(last()),
      'page.wrapUp': refuse('relayOffline'),
      'page.callbacks': refuse('relayOffline'),
    }),
    steps: [{ selector: '[data-code=reached]' }],
  },
  { ...state('error', {}), replies: () => ({ ...withLast(last()), 'page.rules': broken }) },
  state('loading', {}, { pending: ['page.rules', 'page.callbacks', 'page.myDay'] }),
  state('being logged', entryState('sending')),
  state('may have been logged', entryState('unsure')),
  state('logged', entryState('done', { url: `${record.url}#note-3` })),
  state('the record was merged', entryState('needsAgent', { reason: 'merged:4800' })),
  state('given up', entryState('dead', { reason: 'unreachable' })),
  {
    name: 'Wrap-up: several records have the number',
    replies: () => ({ ...withLast(last({ wrapUp: saved, entry: several })), ...candidates }),
  },
  {
    name: 'Calls that are not logged yet',
    replies: () => {
      const asks = last({ entry: several });
      const givenUp = last({ record, entry: { state: 'dead', system: 'rt', reason: 'unreachable' } });
      const recordsToChoose = [asks, { ...asks, id: 'other' }, { ...givenUp, id: 'givenUp' }];
      return { ...panelWith({ recordsToChoose }), ...candidates };
    },
    steps: [{ selector: '.choose-record' }],
  },
  {
    name: 'Wrap-up: not to be logged',
    replies: () => ({ ...withLast(last({ record })), 'page.chooseRecord': ok(last().call) }),
    steps: [{ selector: '.no-log' }],
  },
  { name: 'My day: offline', replies: () => ({ 'page.myDay': ok(day({ isOffline: true })) }) },
  {
    name: 'My day: empty',
    replies: () => ({
      'page.myDay': ok(
        day({ calls: 0, answered: 0, talkSeconds: 0, callbacks: 0, withoutOutcome: 0, outcomes: [] }),
      ),
    }),
  },
  { name: 'My day: error', replies: () => ({ 'page.myDay': broken }) },
  {
    name: 'Callbacks',
    replies: () => ({ 'page.callbacks': ok(callbacks()) }),
    steps: [{ selector: '.hand-over' }],
  },
  { name: 'Callbacks: error', replies: () => ({ 'page.callbacks': broken }) },
];
