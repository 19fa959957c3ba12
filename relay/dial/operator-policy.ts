/**
 * Why the operator's policy refuses a callee, whatever a client decided. The check starts from the digits alone.
 * `shared/numbers/dial/allow-or-refuse.ts`, which extension and relay share, decides about each number.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import {
  isEmergencyBehindZeros,
  withoutOutsidePrefixes,
} from '../../shared/numbers/dial/reachable-numbers.ts';
import { resolve } from '../../shared/numbers/dial/resolve.ts';
import type { GuardReason } from '../../shared/numbers/number.ts';
import { matchesExtensionPattern } from '../../shared/numbers/plan/extension-pattern.ts';
import type { Rules } from '../../shared/protocol/rules.ts';
import {
  neverDialledPolicy,
  type OperatorRefusal,
  refusalByOperator,
  refusalOnLine,
} from '../../shared/rules/operator-refusal.ts';
import type { RelaySettings } from '../settings.ts';

export type GuardSettings = Pick<
  RelaySettings,
  | 'country'
  | 'dialCountries'
  | 'dialBlockedPrefixes'
  | 'dialExtensions'
  | 'dialShortNumbers'
  | 'dialOutsidePrefix'
>;

export type PolicyRefusal =
  | OperatorRefusal['reason']
  | Extract<GuardReason, 'emergency' | 'notANumber' | 'premium' | 'satellite'>
  | 'unknown'
  | 'ambiguous';

/**
 * @param to digits as the provider gets them.
 * @param country of the caller's team, by which national numbers are read.
 * @returns why the number may not be dialled; undefined if it may. A person cannot confirm here, so a doubtful number
 * passes. If the operator listed the countries that may be dialled, every other and every unknown number is refused. If
 * the digits may reach several numbers, all of them must be allowed.
 */
export function operatorRefusal(
  to: string,
  settings: GuardSettings,
  country = settings.country,
): PolicyRefusal | undefined {
  const { dialOutsidePrefix } = settings;
  const isExtension = settings.dialExtensions.some((pattern) => matchesExtensionPattern(pattern, to));
  const prefixes = dialOutsidePrefix ? [dialOutsidePrefix] : [];
  const [withoutPrefix = to] = withoutOutsidePrefixes(to, prefixes);
  const forms = [...new Set([withoutPrefix, to])];
  // The line may be of the team's country or of the relay's: neither may lead to a number that is never dialled.
  const countries = [...new Set([country, settings.country])].filter((each) => each !== undefined);
  // Without a country, only emergency numbers like 112 and 911 and the blocked prefixes are checked. For emergency
  // numbers, the usual prefix for an outside line, 9, is removed, too.
  const behind9 = country === undefined && !isExtension ? withoutOutsidePrefixes(to, ['9']) : [];
  const isEmergency = (digits: string) =>
    (countries.length > 0 ? countries : ['US' as const]).some((each) => isEmergencyBehindZeros(digits, each));
  if ([...forms, ...behind9].some(isEmergency)) return 'emergency';
  const isBlocked = (prefix: string) =>
    !prefix.startsWith('+') && forms.some((each) => each.startsWith(prefix));
  if (settings.dialBlockedPrefixes.some(isBlocked)) return 'blockedPrefix';
  if (country === undefined) return undefined;

  const onLines = countries.map((each) => refusalOnLine(to, each, isExtension, prefixes)?.reason);
  const grave = onLines.find((reason) => reason !== undefined);
  if (grave) return grave;

  const refusals = refusalsOf(isExtension ? to : withoutPrefix, country, settings);
  const refused = refusals.find((refusal) => refusal !== undefined);
  return refused === 'abroad' && refusals.includes(undefined) ? 'ambiguous' : refused;
}

/** The refusals of each number that the digits may reach. */
function refusalsOf(
  digits: string,
  country: CountryCode,
  settings: GuardSettings,
): (PolicyRefusal | undefined)[] {
  const numbers = { country, extensions: [...settings.dialExtensions], dialRules: [] };
  const resolved = resolve(
    { kind: 'digits', to: digits },
    { numbers, guard: neverDialledPolicy },
    { now: new Date() },
  );
  if ('why' in resolved) return ['unknown'];
  return [resolved, ...resolved.alternatives].map(({ number, decision }) => {
    if (decision.verdict === 'refuse') return decision.reason as PolicyRefusal;
    const refusal = refusalByOperator(number, digits, operatorLimits(settings));
    return refusal?.reason ?? (settings.dialCountries && number.type === 'unknown' ? 'unknown' : undefined);
  });
}

/** The limits that the relay's settings put on numbers; browsers get them with the team's rules. */
export const operatorLimits = (
  settings: Pick<GuardSettings, 'country' | 'dialCountries' | 'dialBlockedPrefixes' | 'dialShortNumbers'>,
): NonNullable<Rules['refuses']> => ({
  ...(settings.dialCountries ? { countries: [...settings.dialCountries] } : {}),
  blockedPrefixes: [...settings.dialBlockedPrefixes],
  shortNumbers: settings.dialShortNumbers,
  ...(settings.country && { country: settings.country }),
});
