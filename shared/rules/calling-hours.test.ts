import { getCountries } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { closedHours, opensAt } from './calling-hours.ts';

const day = { days: [1, 2, 3, 4, 5], from: '08:00', to: '21:00' };
const at = (time: string) => new Date(time);
const isClosed = (countries: string[], rules: Parameters<typeof closedHours>[1], time: string) =>
  closedHours(countries, rules, at(time)) !== undefined;

it.each([
  ['the first minute', '2026-11-23T08:00:00Z', false],
  ['the minute before', '2026-11-23T07:59:59Z', true],
  ['the last minute', '2026-11-23T20:59:59Z', false],
  ['the end itself', '2026-11-23T21:00:00Z', true],
  ['a Sunday', '2026-11-22T12:00:00Z', true],
])('goes by the clock of the callee in Portugal: %s', (_when, time, closed) => {
  expect(isClosed(['PT'], { PT: { ...day, zones: ['Europe/Lisbon'] } }, time)).toBe(closed);
});

it.each([
  ['before the clocks change', '2026-03-27T08:00:00Z', false],
  ['after they have changed', '2026-03-30T07:00:00Z', false],
  ['at the same UTC hour as before', '2026-03-27T07:00:00Z', true],
])('follows daylight saving: %s', (_when, time, closed) => {
  expect(isClosed(['GB'], { GB: day }, time)).toBe(closed);
});

it('takes the strictest of the zones of a country', () => {
  // 09:00 in New York is 04:00 in Honolulu; 19:00 UTC is 09:00 there and 14:00 in New York.
  expect(isClosed(['US'], { US: day }, '2026-11-23T14:00:00Z')).toBe(true);
  expect(isClosed(['US'], { US: day }, '2026-11-23T19:00:00Z')).toBe(false);
  expect(isClosed(['US'], { US: { ...day, zones: ['America/New_York'] } }, '2026-11-23T14:00:00Z')).toBe(
    false,
  );
});

it('must be open in every country that the digits may reach', () => {
  const rules = { PT: { ...day, zones: ['Europe/Lisbon'] }, JP: day };
  expect(isClosed(['PT'], rules, '2026-11-23T15:00:00Z')).toBe(false);
  expect(isClosed(['PT', 'JP'], rules, '2026-11-23T15:00:00Z')).toBe(true);
});

it('leaves countries without a rule open, unless there is one for all others', () => {
  expect(isClosed(['FR'], { PT: day }, '2026-11-22T03:00:00Z')).toBe(false);
  expect(isClosed(['FR'], { PT: day, other: day }, '2026-11-22T03:00:00Z')).toBe(true);
  expect(isClosed([], { other: day }, '2026-11-22T03:00:00Z')).toBe(true);
});

it('lets hours run past midnight, on the day on which they begin', () => {
  const night = { PT: { days: [5], from: '22:00', to: '02:00', zones: ['Europe/Lisbon'] } };
  expect(isClosed(['PT'], night, '2026-11-27T23:00:00Z')).toBe(false);
  expect(isClosed(['PT'], night, '2026-11-28T01:00:00Z')).toBe(false);
  expect(isClosed(['PT'], night, '2026-11-28T23:00:00Z')).toBe(true);
});

it.each([
  ['the evening before the clocks change', '2026-03-28T22:00:00Z', '2026-03-30T07:00:00Z'],
  ['an open hour', '2026-03-27T12:02:00Z', '2026-03-27T12:05:00Z'],
])('finds the next open hour from %s', (_when, now, next) => {
  expect(new Date(opensAt(['GB'], { GB: day }, Date.parse(now))).toISOString()).toBe(at(next).toISOString());
});

it.each(getCountries())('closes %s for one hour at least of the day', (country) => {
  const hours = Array.from({ length: 24 }, (_, hour) => `2026-11-24T${String(hour).padStart(2, '0')}:00:00Z`);
  expect(hours.filter((hour) => isClosed([country], { other: day }, hour))).not.toEqual([]);
});
