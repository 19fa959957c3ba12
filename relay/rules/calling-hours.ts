/** Whether the people of a country may be called now, by their own clocks. */
import type { CallingHours, Rules } from '../../shared/protocol/rules.ts';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const formats = new Map<string, Intl.DateTimeFormat>();
const zonesByCountry = new Map<string, readonly string[]>();

/**
 * The rule that forbids a call to a number of these countries; undefined where none does. A number that may be of several
 * countries, and a country with several zones, must be right in each.
 * @param countries empty where they are not known: then `other` counts, by UTC.
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

/** Hours that end before they begin run past midnight, and belong to the day on which they begin. */
function isOpen({ days, from, to }: CallingHours, zone: string, now: Date): boolean {
  const { day, time } = clockIn(zone, now);
  if (from <= to) return days.includes(day) && time >= from && time < to;
  return time >= from ? days.includes(day) : time < to && days.includes((day + 6) % 7);
}

/** Daylight saving is in the data of `Intl`. */
function clockIn(zone: string, now: Date): { day: number; time: string } {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return { day: weekdays.indexOf(parts.weekday!), time: `${parts.hour}:${parts.minute}` };
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
    zones = locale.getTimeZones?.() ?? locale.timeZones ?? ['UTC'];
    zonesByCountry.set(country, zones);
  }
  return zones;
}
