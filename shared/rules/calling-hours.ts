/** Whether the people of a country may be called now, by their own clocks. */
import { dayMs, minuteMs } from '../durations.ts';
import type { CallingHours, Rules } from '../protocol/rules.ts';
import { clockIn } from './local-clock.ts';

const stepMs = 5 * minuteMs;
/** At first only the countries for which CLDR has no zones: Kosovo, Ascension, Tristan da Cunha. */
const zonesByCountry = new Map<string, readonly string[]>([
  ['XK', ['Europe/Belgrade']],
  ['AC', ['Atlantic/St_Helena']],
  ['TA', ['Atlantic/St_Helena']],
]);

/**
 * The rule that forbids a call to a number of these countries; undefined if no rule does. If a number may be of several
 * countries, or a country has several zones, the hour must be right in each.
 * @param countries empty if they are not known: then `other` counts, by UTC.
 */
export function closedHours(
  countries: readonly string[],
  rules: NonNullable<Rules['callingHours']>,
  now: Date,
): { country: string; hours: CallingHours } | undefined {
  for (const country of countries.length > 0 ? countries : ['other']) {
    const hours = rules[country] ?? rules.other;
    if (!hours) continue;
    const zones = hours.zones ?? zonesOf(country);
    if (!zones.every((zone) => isOpen(hours, zone, now))) return { country, hours };
  }
  return undefined;
}

/**
 * When a call is no longer forbidden, to five minutes.
 * @returns milliseconds since the epoch; a week from now if a call is forbidden until then.
 */
export function opensAt(
  countries: readonly string[],
  rules: NonNullable<Rules['callingHours']>,
  now: number,
): number {
  const last = now + 7 * dayMs;
  for (let at = Math.ceil(now / stepMs) * stepMs; at < last; at += stepMs)
    if (!closedHours(countries, rules, new Date(at))) return at;
  return last;
}

/** Hours that end before they begin run past midnight, and belong to the day on which they begin. */
function isOpen({ days, from, to }: CallingHours, zone: string, now: Date): boolean {
  const { weekday, time } = clockIn(zone, now);
  if (from <= to) return days.includes(weekday) && time >= from && time < to;
  return time >= from ? days.includes(weekday) : time < to && days.includes((weekday + 6) % 7);
}

/** The zones of a country by CLDR, in this Node. */
function zonesOf(country: string): readonly string[] {
  let zones = zonesByCountry.get(country);
  if (!zones) {
    // Node 20 has a property, later versions a method.
    const locale = new Intl.Locale(country === 'other' ? 'und' : `und-${country}`) as Intl.Locale & {
      timeZones?: string[];
      getTimeZones?: () => string[] | undefined;
    };
    // A browser without data of zones leaves the hour to the relay.
    const knowsZones = 'getTimeZones' in locale || 'timeZones' in locale;
    zones = knowsZones ? (locale.getTimeZones?.() ?? locale.timeZones ?? ['UTC']) : [];
    zonesByCountry.set(country, zones);
  }
  return zones;
}
