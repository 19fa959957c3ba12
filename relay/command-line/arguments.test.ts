import { afterEach, expect, it, vi } from 'vitest';
import { parseWrittenTime } from './arguments.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('begins a day without an hour at midnight of this machine, as a time without a zone', () => {
  vi.stubEnv('TZ', 'America/Sao_Paulo');
  expect(parseWrittenTime('2028-01-31')).toBe(Date.parse('2028-01-31T03:00:00Z'));
  expect(parseWrittenTime('2028-01-31T00:00')).toBe(Date.parse('2028-01-31T03:00:00Z'));
  expect(parseWrittenTime('2028-01-31T00:00Z')).toBe(Date.parse('2028-01-31T00:00:00Z'));
});
