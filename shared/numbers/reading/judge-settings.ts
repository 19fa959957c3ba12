import type { CountryCode } from 'libphonenumber-js/core';
import type { NumberSettings } from '../number-settings.ts';

/** Number settings of which the country may be unknown: then only international forms and clear context words count. */
export type JudgeSettings = Omit<NumberSettings, 'country'> & { country?: CountryCode | undefined };
