import { expect, test, vi } from 'vitest';
import { defaultRules } from '../../../shared/protocol/rules.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../settings/settings-store.ts', () => ({
  readSettings: async () => ({
    settings: { connection: { mode: 'relay', relayUrl }, records: { templates: [] } },
  }),
}));
vi.mock('./route.ts', () => ({
  followingRelay: async () => ({ url: relayUrl, key: 'key' }),
  involvesRelay: () => true,
}));
const { keepRules, refreshRules, teamRules } = await import('./team-rules.ts');

const relayUrl = 'https://relay.example';
const rulesOf = (country: string) => ({ ...defaultRules, numbers: { country } });

test('keeps rules of an event that arrived before the reply to an earlier request', async () => {
  vi.stubGlobal('fetch', async () => {
    await keepRules(relayUrl, rulesOf('DE'));
    return Response.json(rulesOf('BR'));
  });
  await refreshRules();
  expect((await teamRules())?.numbers?.country).toBe('DE');
});
