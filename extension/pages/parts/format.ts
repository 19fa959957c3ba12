/** Formats times and sizes in the page's language. */
import { languageTag, text } from '../../text.ts';

/** `1 min 24 s`, in words of the language. */
export function duration(seconds: number): string {
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(languageTag(), { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
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
  const time = new Intl.DateTimeFormat(languageTag(), { timeStyle: 'short' }).format(date);
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days === 0) return time;
  if (days === 1) return text('page_yesterday', time);
  const sameYear = date.getFullYear() === now.getFullYear();
  const day = new Intl.DateTimeFormat(languageTag(), {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(date);
  return `${day}, ${time}`;
}

export function fileSize(bytes: number): string {
  const mega = bytes >= 1_000_000;
  return new Intl.NumberFormat(languageTag(), {
    style: 'unit',
    unit: mega ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: mega ? 1 : 0,
  }).format(bytes / (mega ? 1_000_000 : 1_000));
}

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
