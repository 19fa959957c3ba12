/** Resolves a number as `resolve` does, and refuses at once what the relay is certain to refuse. */
import type { CountryCode } from 'libphonenumber-js/max';
import {
  type DialReading,
  type DialSettings,
  type NumberSource,
  type ResolveContext,
  resolve,
} from '../shared/numbers/dial/resolve.ts';
import type { Decision } from '../shared/numbers/number.ts';
import type { NumberSettings } from '../shared/numbers/number-settings.ts';
import type { Rules } from '../shared/protocol/rules.ts';
import { keyOfNumber, keyOfPrefix, readCallee } from '../shared/rules/callee.ts';
import { type OperatorLimits, refusalByOperator, refusalOnLine } from '../shared/rules/operator-refusal.ts';
import type { Settings } from './settings.ts';

type TeamSettings = DialSettings & Pick<Settings, 'doNotCall'>;

/** @param rules of the team; undefined if no relay learns of the calls. */
export function resolveForTeam(
  source: NumberSource,
  settings: TeamSettings,
  context: ResolveContext,
  rules: Rules | undefined,
): ReturnType<typeof resolve> {
  const numbers = withTeamNumbers(settings.numbers, rules);
  const resolved = resolve(source, { ...settings, numbers }, context);
  const refuses = rules?.refuses;
  if ('why' in resolved || (!refuses && settings.doNotCall.length === 0)) return resolved;
  const judge = <Reading extends DialReading>(reading: Reading): Reading => {
    // The agent's own settings may already refuse for a more serious reason, such as an emergency number.
    if (reading.decision.verdict === 'refuse') return reading;
    const { number, digits } = reading;
    const byOperator = refuses && (refusalByOperator(number, digits.to, refuses) ?? onLine(reading, refuses));
    const decision = byOperator ?? isOnPolicyList(reading, numbers, settings);
    return decision ? { ...reading, decision } : reading;
  };
  const onLine = ({ number, digits }: DialReading, { country }: OperatorLimits) =>
    country === undefined || country === numbers.country
      ? undefined
      : refusalOnLine(digits.to, country, number.type === 'internal', outsidePrefixesOf(numbers));
  const alternatives = resolved.alternatives.map(judge);
  return {
    ...judge(resolved),
    alternatives: alternatives.filter(({ decision }) => decision.verdict !== 'refuse'),
  };
}

/**
 * Uses the team's number settings if the agent's own are empty. The team's area code is for the team's country only.
 */
export function withTeamNumbers(own: NumberSettings, rules: Rules | undefined): NumberSettings {
  const team = rules?.numbers;
  if (!team) return own;
  const isSameCountry = team.country === undefined || team.country === own.country;
  return {
    ...own,
    areaCode: own.areaCode ?? (isSameCountry ? team.areaCode : undefined),
    extensions: own.extensions.length > 0 ? own.extensions : (team.extensions ?? []),
    dialRules: own.dialRules.length > 0 ? own.dialRules : (team.dialRules ?? []),
  };
}

const outsidePrefixesOf = ({ dialRules }: Pick<NumberSettings, 'dialRules'>): string[] =>
  dialRules.flatMap(({ prepend }) => prepend || []);

/** Refuses numbers on the organisation's own short list. The list is compared with every reading of the digits. */
function isOnPolicyList(
  { digits }: DialReading,
  { country, areaCode, extensions, dialRules }: NumberSettings,
  { doNotCall }: TeamSettings,
): Decision | undefined {
  if (doNotCall.length === 0) return undefined;
  const outsidePrefixes = outsidePrefixesOf({ dialRules });
  const { numbers, prefixes } = readCallee(digits.to, { country, areaCode, extensions, outsidePrefixes });
  const listed = keysOf(doNotCall, country, areaCode);
  return [...numbers, ...prefixes].some((key) => listed.has(key))
    ? { verdict: 'refuse', reason: 'doNotCall' }
    : undefined;
}

let readKeys: { of: readonly string[]; home: string; keys: ReadonlySet<string> } | undefined;

/** Reads the list again only if the list, country or area code has changed. Ten thousand numbers take a moment. */
function keysOf(
  list: readonly string[],
  country: CountryCode,
  areaCode: string | undefined,
): ReadonlySet<string> {
  const home = `${country} ${areaCode}`;
  if (readKeys?.of !== list || readKeys.home !== home) {
    const listed = list.map((each) =>
      each.endsWith('*') ? keyOfPrefix(each, country) : keyOfNumber(each, country, areaCode),
    );
    const keys = new Set(listed.flatMap((each) => ('key' in each ? [each.key] : [])));
    readKeys = { of: list, home, keys };
  }
  return readKeys.keys;
}
