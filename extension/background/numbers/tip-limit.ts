/**
 * Limits for how many numbers a tab learns what the team knows. An agent points at a few in a minute. A content script
 * that was taken over could ask for every number that exists.
 */
import { NumbersPerMinute } from '../../../shared/numbers-per-minute.ts';

const askedByTab = new NumbersPerMinute<number>(60);

export const mayAskAbout = (number: string, tabId: number): boolean => askedByTab.admits([number], tabId);
