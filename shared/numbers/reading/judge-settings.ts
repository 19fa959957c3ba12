import type { CountryCode } from 'libphonenumber-js/core';
import type { NumberSettings } from '../number-settings.ts';

/** Number settings whose country may be missing. Then only international numbers and clear context words count. */
export type JudgeSettings = Omit<NumberSettings, 'country'> & { country?: CountryCode | undefined };
