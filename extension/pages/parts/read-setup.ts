import { decodeSetupCode, type SetupCode } from '../../../shared/protocol/setup-code.ts';

/** What a setup code fills in. */
export interface Setup {
  relayUrl: string;
  from: string;
  key: string;
  /** The parts of the number settings that the code names. */
  numbers: Pick<SetupCode, 'country' | 'areaCode'>;
}

/** A setup code as typed, and the extension chosen where it names several. */
export interface SetupEntry {
  typed: string;
  from: string;
}
export const noSetupEntry: SetupEntry = { typed: '', from: '' };

/** @returns what the code holds, and what it fills in or why it cannot yet; nothing for an empty field. */
export function readSetup({ typed, from }: SetupEntry): {
  code?: SetupCode;
  setup?: Setup;
  problem?: 'setup_wrong' | 'setup_choose';
} {
  if (typed.trim() === '') return {};
  const code = decodeSetupCode(typed);
  if (!code) return { problem: 'setup_wrong' };
  const { relayUrl, key, callers, country, areaCode } = code;
  const caller = callers.length === 1 ? callers[0]! : from;
  if (caller === '') return { code, problem: 'setup_choose' };
  const numbers = { ...(country && { country }), ...(areaCode && { areaCode }) };
  return { code, setup: { relayUrl, key, from: caller, numbers } };
}
