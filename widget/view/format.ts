/** Text, durations and times as people read them. */
import type { ComponentChildren } from 'preact';
import type { WidgetLanguage } from '../texts.ts';

/** The sentence with `value` in place of `{}`. */
export function interpolate(sentence: string, value: ComponentChildren): ComponentChildren[] {
  const [before, after] = sentence.split('{}');
  return after === undefined ? [before] : [before, value, after];
}

/** Formats seconds as `0:07`, `12:05` or `1:00:09`, at most a day. Empty where the value is not a number. */
export function formatDuration(seconds: number | undefined): string {
  if (!Number.isFinite(seconds)) return '';
  const whole = Math.min(Math.max(0, seconds!), 86_399);
  return new Date(whole * 1000)
    .toISOString()
    .slice(11, 19)
    .replace(/^0(0:0?)?/, '');
}

/**
 * Shows the time of today, else day and time. Empty where the value is not a time.
 * @param now milliseconds since 1970.
 */
export function formatTime({ tag }: WidgetLanguage, time: string | undefined, now: number): string {
  const date = new Date(time as string);
  if (!date.getTime()) return '';
  const isToday = date.toDateString() === new Date(now).toDateString();
  return date.toLocaleString(tag, { dateStyle: isToday ? undefined : 'medium', timeStyle: 'short' });
}

/** Other people's text without invisible and direction-changing characters, at most 40 long; a dash for none. */
export function sanitizeText(text = ''): string {
  // Cut before the search as well, which ten thousand characters are not worth.
  const shown = text
    .slice(0, 500)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown || '–';
}
