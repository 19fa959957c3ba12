/** Text, durations and times as people read them. */
import type { ComponentChildren } from 'preact';
import type { WidgetLanguage } from '../texts.ts';

/** The sentence with `value` in place of `{}`. */
export function interpolate(sentence: string, value: ComponentChildren): ComponentChildren[] {
  const [before, after] = sentence.split('{}');
  return after === undefined ? [before] : [before, value, after];
}

/** Formats seconds as `0:07`, `12:05` or `1:00:09`, at most a day. Empty if the value is not a number. */
export function formatDuration(seconds: number | undefined): string {
  if (!Number.isFinite(seconds)) return '';
  const whole = Math.min(Math.max(0, seconds!), 86_399);
  return new Date(whole * 1000)
    .toISOString()
    .slice(11, 19)
    .replace(/^0(0:0?)?/, '');
}

/**
 * Shows only the time for today, else day and time. Empty if the value is not a time.
 * @param now milliseconds since 1970.
 */
export function formatTime({ tag }: WidgetLanguage, time: string | undefined, now: number): string {
  const date = new Date(time as string);
  if (!date.getTime()) return '';
  const isToday = date.toDateString() === new Date(now).toDateString();
  return date.toLocaleString(tag, { dateStyle: isToday ? undefined : 'medium', timeStyle: 'short' });
}

/**
 * Other people's text without invisible and direction-changing characters. It has at most 40 characters and a `…`; a
 * dash if it is empty.
 */
export function sanitizeText(text = ''): string {
  // Cut before the search as well: a very long text would only cost time.
  const shown = text
    .slice(0, 500)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown || '–';
}
