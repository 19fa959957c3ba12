/** Words, durations and times of a language. */
import type { ComponentChildren } from 'preact';
import type { Language } from '../words/language.ts';

/** The sentence with something set in at `{}`. */
export function say(sentence: string, inside: ComponentChildren): ComponentChildren[] {
  const [before, after] = sentence.split('{}');
  return after === undefined ? [before] : [before, inside, after];
}

/** `0:07`, `12:05`, `1:00:09`; empty where it is no time. A day is the longest it tells. */
export function clock(seconds: number | undefined): string {
  if (!Number.isFinite(seconds)) return '';
  const whole = Math.min(Math.max(0, seconds!), 86_399);
  return new Date(whole * 1000)
    .toISOString()
    .slice(11, 19)
    .replace(/^0(0:0?)?/, '');
}

/** The time of today, else day and time; empty where it is no time. */
export function moment({ tag }: Language, at: string | undefined, now: number): string {
  const date = new Date(at ?? Number.NaN);
  if (!date.getTime()) return '';
  const sameDay = date.toDateString() === new Date(now).toDateString();
  return date.toLocaleString(tag, { ...(sameDay ? {} : { dateStyle: 'medium' }), timeStyle: 'short' });
}
