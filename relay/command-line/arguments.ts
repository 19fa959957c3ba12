/** Reads the arguments of the commands of the command line. */
import { InvalidArgumentError, Option } from 'commander';
import { dayMs } from '../../shared/durations.ts';
import { CallerCode } from '../../shared/service/request.ts';

export function requiredOption<T>(flags: string, description: string, read: (text: string) => T): Option {
  return new Option(flags, description).argParser(read).makeOptionMandatory();
}

export const createOption = (): Option =>
  new Option('--create', 'makes the store where there is none yet').default(false);

const writtenTime = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * @returns milliseconds since the epoch; NaN for other ways to write a time: 05/12/2026 is a day in May or in December,
 * and JavaScript takes 7 for a month.
 */
export function parseWrittenTime(text: string): number {
  const [, day = ''] = writtenTime.exec(text) ?? [];
  const midnight = new Date(Date.parse(day));
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!isDay) return Number.NaN;
  // JavaScript reads a date alone as UTC, and a date with an hour by the clock of the machine.
  return Date.parse(text === day ? `${day}T00:00` : text);
}

/** The latest end. Later years have a sign and six digits in ISO 8601, so as text they sort before every other time. */
const lastEnd = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads when something ends: a date, a time, or days from now like 90d. A date without an hour counts whole, so it ends
 * at the next midnight.
 * @returns as ISO 8601. @throws InvalidArgumentError for what is neither, and for a time that has passed.
 */
export function readEnd(text: string): string {
  const days = parseDays(text);
  const end = days === undefined ? parseWrittenEnd(text) : Date.now() + days * dayMs;
  if (!(end > Date.now()))
    throw new InvalidArgumentError(
      `expected a date to come like 2099-01-31, or days like 90d, got "${text}"`,
    );
  return new Date(Math.min(end, lastEnd)).toISOString();
}

/** @returns the days of `90d`; undefined for another text. */
export function parseDays(text: string): number | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  return days === undefined ? undefined : Number(days);
}

function parseWrittenEnd(text: string): number {
  const at = parseWrittenTime(text);
  const isDay = /^[\d-]+$/.test(text);
  // A day of summer time has 23 or 25 hours, and in some zones begins at 1:00.
  return isDay ? new Date(at).setHours(24, 0) : at;
}

export function readCallers(text: string): string[] {
  const callers = text.split(',').map((part) => part.trim());
  const wrong = callers.find((caller) => !CallerCode.safeParse(caller).success);
  if (wrong !== undefined)
    throw new InvalidArgumentError(
      `expected codes of agents or extensions, separated by commas, got "${wrong}"`,
    );
  return [...new Set(callers)];
}

/** An empty text, for example from a script's variable, is not a team. A pasted blank is not part of the name. */
export function readTeam(text: string): string {
  const team = text.trim();
  if (team === '') throw new InvalidArgumentError('expected the name of a team');
  return team;
}

export function readOrigins(text: string): string[] {
  return text.split(',').map((part) => {
    const given = part.trim();
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (
      !url ||
      !/^https?:$/.test(url.protocol) ||
      // A browser's origin is compared as a whole, without patterns.
      url.hostname.includes('*') ||
      url.pathname !== '/' ||
      url.search !== '' ||
      url.hash !== ''
    )
      throw new InvalidArgumentError(`expected an origin like https://crm.example, got "${given}"`);
    return url.origin;
  });
}
