import { afterEach, expect, it, vi } from 'vitest';
import { parseWrittenTime, readEnd } from './arguments.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('begins a day without an hour at midnight of this machine, as a time without a zone', () => {
  vi.stubEnv('TZ', 'America/Sao_Paulo');
  expect(parseWrittenTime('2028-01-31')).toBe(Date.parse('2028-01-31T03:00:00Z'));
  expect(parseWrittenTime('2028-01-31T00:00')).toBe(Date.parse('2028-01-31T03:00:00Z'));
  expect(parseWrittenTime('2028-01-31T00:00Z')).toBe(Date.parse('2028-01-31T00:00:00Z'));
});

it('ends a day without an hour when that day ends on this machine', () => {
  vi.stubEnv('TZ', 'America/Sao_Paulo');
  expect(readEnd('2098-01-31')).toBe('2098-02-01T03:00:00.000Z');
  // A later year sorts before every other time.
  expect(readEnd('9999-12-31')).toBe('9999-12-31T23:59:59.999Z');
  expect(readEnd('2098-01-31T12:00')).toBe('2098-01-31T15:00:00.000Z');
  vi.stubEnv('TZ', 'America/Santiago');
  expect(readEnd('2037-09-06')).toBe('2037-09-07T03:00:00.000Z');
  const today = new Date().toLocaleDateString('sv-SE');
  expect(Date.parse(readEnd(today))).toBeGreaterThan(Date.now());
});
