import { afterEach, expect, test, vi } from 'vitest';

vi.mock('./route.ts', () => ({ mayReach: async () => true }));
const { checkRecording } = await import('./check-recording.ts');

afterEach(() => vi.unstubAllGlobals());

test.each([
  [404, 'missing'],
  [410, 'missing'],
  [401, 'denied'],
  [403, 'denied'],
  [500, 'serverError'],
  [503, 'serverError'],
  [405, 'serverError'],
  [429, 'serverError'],
])('a recording whose server answers %i is %s', async (status, result) => {
  vi.stubGlobal('fetch', async () => new Response(null, { status }));
  expect(await checkRecording('https://pbx.example/a.mp3')).toEqual({ result });
});
