/**
 * Applies the organisation's policy to the relay's rules. The policy only adds addresses for known kinds of records,
 * and removes outcomes. The relay still decides.
 */
import type { Rules } from '../../../shared/protocol/rules.ts';
import type { Settings } from '../../settings.ts';

type Policy = Settings['records'];

/** Adds further addresses of the relay's records, for example of the same CRM inside the network. */
export function rulesWithPolicy(rules: Rules, { templates }: Policy): Rules {
  // A template for any other record is left out, since the relay would refuse the call (`recordUnknown`).
  const known = templates.filter(({ system, kind }) =>
    rules.templates.some((each) => each.system === system && each.kind === kind),
  );
  return { ...rules, templates: [...rules.templates, ...known] };
}

/**
 * Keeps the outcomes that the policy names, in the policy's order. If the relay does not know any of them, all outcomes
 * stay.
 */
export function withOfferedOutcomes(rules: Rules, { outcomes: codes }: Policy): Rules {
  const offered = codes.flatMap((wanted) => rules.outcomes.find(({ code }) => code === wanted) ?? []);
  return offered.length > 0 ? { ...rules, outcomes: offered } : rules;
}
