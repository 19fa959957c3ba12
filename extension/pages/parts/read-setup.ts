import { decodeSetupCode, type SetupCode } from '../../../shared/protocol/setup-code.ts';
import type { SettingsView } from '../../messages/views.ts';
import { isLocked } from './is-locked.ts';
import { unlockedChanges } from './unlocked-changes.ts';

/** What a setup code fills in. */
export interface Setup {
  relayUrl: string;
  from: string;
  key: string;
  /** The number settings that the code contains. */
  numbers: Pick<SetupCode, 'country' | 'areaCode'>;
}

/** A setup code as typed, and the extension that was chosen if the code has several. */
export interface SetupEntry {
  typed: string;
  from: string;
}
export const noSetupEntry: SetupEntry = { typed: '', from: '' };

/** The settings in force, and the paths that the organisation has set. */
type InForce = Pick<SettingsView, 'settings' | 'locked'>;

type SetupProblem = 'setup_wrong' | 'setup_choose' | 'setup_otherRelay';

/**
 * @param lockedRelay the relay's address if the organisation has set it. Codes of other relays are then refused.
 * @returns what the code holds, and what it fills in or why it cannot yet. For an empty field, an empty object.
 */
export function readSetup(
  { typed, from }: SetupEntry,
  lockedRelay?: string,
): { code?: SetupCode; setup?: Setup; problem?: SetupProblem } {
  if (typed.trim() === '') return {};
  const code = decodeSetupCode(typed);
  if (!code) return { problem: 'setup_wrong' };
  const { relayUrl, key, callers, country, areaCode } = code;
  if (lockedRelay !== undefined && !isSameAddress(relayUrl, lockedRelay))
    return { problem: 'setup_otherRelay' };
  const caller = callers.length === 1 ? callers[0]! : from;
  if (caller === '') return { code, problem: 'setup_choose' };
  const numbers = { ...(country && { country }), ...(areaCode && { areaCode }) };
  return { code, setup: { relayUrl, key, from: caller, numbers } };
}

/**
 * The settings that a setup changes, by dotted path. A value that the organisation has set stays as it is.
 * @param settings what is changed: the saved settings, or a draft of them.
 */
export function setupChanges(
  { relayUrl, from, numbers }: Setup,
  settings: object,
  locked: readonly string[],
): Record<string, unknown> {
  const changes = {
    'connection.mode': 'relay',
    'connection.relayUrl': relayUrl,
    'agent.from': from,
    ...(numbers.country && { 'numbers.country': numbers.country }),
    ...(numbers.areaCode && { 'numbers.areaCode': numbers.areaCode }),
  };
  return unlockedChanges(changes, settings, locked);
}

/** @returns the relay's address if a policy has set it. */
export function lockedRelayOf({ locked, settings }: InForce): string | undefined {
  return isLocked(locked, 'connection.relayUrl') ? settings.connection.relayUrl : undefined;
}

const isSameAddress = (one: string, other: string) =>
  URL.canParse(one) && URL.canParse(other) && withSlash(one) === withSlash(other);
const withSlash = (address: string) => new URL(address).href.replace(/\/*$/, '/');
