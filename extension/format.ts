/** Formats times and sizes in the agent's language. */
import { dayMs } from '../shared/durations.ts';
import { localeTag } from './text.ts';

/** `1 min 24 s`, in words of the agent's language. */
export function durationInWords(seconds: number): string {
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(localeTag(), { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  const parts = [
    seconds >= 3600 ? unit(Math.floor(seconds / 3600), 'hour') : '',
    seconds >= 60 ? unit(Math.floor(seconds / 60) % 60, 'minute') : '',
    seconds < 3600 && (seconds % 60 > 0 || seconds < 60) ? unit(seconds % 60, 'second') : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** `14:05` today, `yesterday, 14:05`, else with its date. @param iso ISO 8601. */
export function when(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  return daysBetween(date, now) === 0 ? clockTimeOf(date) : dayAndTime(iso, now);
}

/** The same as `when`, but `today, 14:05`. */
export function dayAndTime(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  return `${dayOf(date, now)}, ${clockTimeOf(date)}`;
}

const clockTimeOf = (date: Date) => new Intl.DateTimeFormat(localeTag(), { timeStyle: 'short' }).format(date);

function dayOf(date: Date, now: Date): string {
  const days = daysBetween(date, now);
  if (Math.abs(days) <= 1)
    return new Intl.RelativeTimeFormat(localeTag(), { numeric: 'auto' }).format(-days, 'day');
  return new Intl.DateTimeFormat(localeTag(), {
    day: 'numeric',
    month: 'short',
    ...(date.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  }).format(date);
}

export function fileSize(bytes: number): string {
  const mega = bytes >= 1_000_000;
  return new Intl.NumberFormat(localeTag(), {
    style: 'unit',
    unit: mega ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: mega ? 1 : 0,
  }).format(bytes / (mega ? 1_000_000 : 1_000));
}

const daysBetween = (date: Date, now: Date) => Math.round((startOfDay(now) - startOfDay(date)) / dayMs);
const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
