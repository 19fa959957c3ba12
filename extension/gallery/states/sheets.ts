/** The popup with call sheets: chosen, claimed from, and made from the numbers of a page. */
import type { Sheet, SheetItem } from '../../../shared/protocol/sheets.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { ShownItem } from '../../messages/sheets.ts';
import type { OwnState, Replies } from './page-state.ts';
import { ago, broken, history, panelWith, sampleEntry } from './samples.ts';

const sheet = (id: string, name: string, open: number, total: number): Sheet => ({
  ...{ id, name, total, createdAt: ago(600) },
  counts: { open, called: 0, done: total - open, doNotCall: 0, duplicate: 0 },
});
const [autumn, renewals] = [
  { ...sheet('a', 'Autumn leads', 28, 40), mayDelete: true },
  sheet('b', 'Renewals', 0, 12),
];
const item: SheetItem = {
  ...{ id: 13, number: '+554832221000', name: 'Ana Prado, Acme' },
  record: { system: 'redmine', kind: 'issue', id: '4711' },
  ...{ state: 'open' as const, due: ago(600), attempts: 0 },
};

const working = (claim: Result<ShownItem>, more: Replies = {}): Replies => ({
  ...panelWith({ recent: history().slice(1) }),
  'page.sheets': ok({ sheets: [autumn, renewals], current: 'a' }),
  'page.claimItem': claim,
  ...more,
});
const wanted = () =>
  sampleEntry(
    '+55 48 3222-1000',
    { state: 'disconnected', talkSeconds: 84, createdAt: ago(3), item: { sheet: 'a', id: 13 } },
    { hasWrapUp: true },
  );

export const sheetStates: readonly OwnState[] = [
  { name: 'Sheets', replies: () => ({ 'page.sheets': ok({ sheets: [autumn, renewals] }) }) },
  {
    name: 'Sheets: deleting one',
    replies: () => ({ 'page.sheets': ok({ sheets: [autumn, renewals] }) }),
    steps: [{ selector: '.delete-sheet' }],
  },
  { name: 'Sheets: none', replies: () => ({ 'page.sheets': ok({ sheets: [] }) }) },
  { name: 'Sheets: loading', pending: ['page.sheets'] },
  { name: 'Sheets: error', replies: () => ({ 'page.sheets': broken }) },
  {
    name: 'Sheets: next person',
    replies: () => working(ok({ sheet: autumn, item, display: '+55 48 3222-1000' })),
  },
  {
    name: 'Sheets: no one due',
    replies: () => working(ok({ sheet: autumn, next: ago(-90) })),
  },
  { name: 'Sheets: no one left', replies: () => working(ok({ sheet: renewals })) },
  { name: 'Sheets: offline', replies: () => working(refuse('relayOffline')) },
  {
    name: 'Sheets: outcome missing',
    replies: () => working(ok({ sheet: autumn, item }), panelWith({ recent: [wanted()] })),
  },
  {
    name: 'Sheets: making one',
    replies: () => ({
      'page.sheets': ok({ sheets: [autumn] }),
      'page.makeSheet': ok({ sheet: sheet('c', 'Page', 1, 1), unreadable: 1, repeated: 0 }),
    }),
    steps: [{ selector: '#make-sheet' }],
  },
];
