/** What the relay says where it refuses a number, or a limit is reached. */
import type { PolicyRefusal } from './operator-policy.ts';

export const refusalWords: Record<PolicyRefusal, string> = {
  abroad: 'Calls to this country are not allowed here.',
  premium: 'Premium-rate numbers are not dialled.',
  satellite: 'Satellite numbers are not dialled.',
  short: 'Short numbers are not dialled.',
  emergency: 'Emergency numbers are not dialled from here; use the phone beside you.',
  blockedPrefix: 'Numbers that begin like this are blocked.',
  notANumber: 'This is not a number.',
  ambiguous:
    'With and without a carrier code these digits reach different countries; dial the number with a carrier code.',
  unknown: 'The country of this number is not known, and only some countries may be dialled.',
};

export const limitWords = {
  day: 'The calls allowed for today are used up; an administrator can raise the limit.',
  destination: 'This number was called too often within a minute; wait a little.',
  key: 'Too many calls within a minute; wait a little.',
} as const;
