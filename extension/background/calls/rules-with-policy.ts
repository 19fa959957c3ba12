/**
 * What the organisation's policy lays over the relay's rules. The relay still decides: policy adds and takes
 * only what it knows.
 */
import type { Rules } from '../../../shared/protocol/rules.ts';
import type { Settings } from '../../settings.ts';

type Policy = Settings['records'];

/** Adds further addresses of the relay's records, for example of the same CRM inside the network. */
export function rulesWithPolicy(rules: Rules, { templates }: Policy): Rules {
  // The relay refuses a call on any other record (`recordUnknown`).
  const known = templates.filter(({ system, kind }) =>
    rules.templates.some((each) => each.system === system && each.kind === kind),
  );
  return { ...rules, templates: [...rules.templates, ...known] };
}

/** Takes the outcomes that policy names, in its order. Without one of them an agent could choose nothing: then all. */
export function withOfferedOutcomes(rules: Rules, { outcomes: codes }: Policy): Rules {
  const offered = codes.flatMap((wanted) => rules.outcomes.find(({ code }) => code === wanted) ?? []);
  return offered.length > 0 ? { ...rules, outcomes: offered } : rules;
}
