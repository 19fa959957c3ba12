/** Resolves a number as `resolve` does, and refuses at once what the relay is certain to refuse. */
import {
  type DialReading,
  type DialSettings,
  type NumberSource,
  type ResolveContext,
  resolve,
} from '../../../shared/numbers/dial/resolve.ts';
import type { Decision } from '../../../shared/numbers/number.ts';
import type { Rules } from '../../../shared/protocol/rules.ts';

type RelayRefusals = NonNullable<Rules['refuses']>;

/** @param rules of the team; undefined where no relay hears of the calls. */
export function resolveForTeam(
  source: NumberSource,
  settings: DialSettings,
  context: ResolveContext,
  rules: Rules | undefined,
): ReturnType<typeof resolve> {
  const resolved = resolve(source, settings, context);
  const refuses = rules?.refuses;
  if ('why' in resolved || !refuses) return resolved;
  const judge = <Reading extends DialReading>(reading: Reading): Reading => {
    const decision = refusalOf(reading, refuses);
    return decision ? { ...reading, decision } : reading;
  };
  const alternatives = resolved.alternatives.map(judge);
  return {
    ...judge(resolved),
    alternatives: alternatives.filter(({ decision }) => decision.verdict !== 'refuse'),
  };
}

/** The agent's own settings may refuse for a graver reason, such as an emergency number. */
function refusalOf(reading: DialReading, refuses: RelayRefusals): Decision | undefined {
  const { number, digits, decision } = reading;
  if (decision.verdict === 'refuse') return undefined;
  const { country, type, e164 = '' } = number;
  const prefix = refuses.blockedPrefixes.find((each) =>
    (each.startsWith('+') ? e164 : digits.to).startsWith(each),
  );
  if (prefix !== undefined) return { verdict: 'refuse', reason: 'blockedPrefix', detail: prefix };
  if (type === 'short' && !refuses.shortNumbers) return { verdict: 'refuse', reason: 'short' };
  const isElsewhere = country !== undefined && refuses.countries?.includes(country) === false;
  return isElsewhere && type !== 'internal' && type !== 'short'
    ? { verdict: 'refuse', reason: 'abroad', detail: country }
    : undefined;
}
