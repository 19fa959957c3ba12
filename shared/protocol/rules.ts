/**
 * The team's rules: what the operator writes into `DIALMARK_RULES_FILE`, and what browsers get of it (GET /v1/rules, `event: rules`).
 */
import { z } from 'zod/mini';
import { PresetTemplate, templatesOf } from '../record/presets.ts';
import { RecordTemplate } from '../record/template.ts';
import { defaultOutcomes, WrapUpOutcome } from '../record/wrap-up.ts';

/** What browsers get. */
export const Rules = z.object({
  templates: z.array(RecordTemplate),
  outcomes: z.array(WrapUpOutcome),
  /** Whether a finished call needs an outcome before the next one is placed. */
  requireOutcome: z.boolean(),
});
export type Rules = z.infer<typeof Rules>;

const maxTemplates = 200;
const maxOutcomes = 30;

/** The file. Everything is optional: an empty object is the default. */
const RulesFile = z.strictObject({
  templates: z.optional(
    z
      .array(
        z.union(
          [RecordTemplate, PresetTemplate],
          'expected {system, origin, pattern, kind} or {preset, origin}',
        ),
      )
      .check(z.maxLength(maxTemplates, `expected at most ${maxTemplates} templates`)),
  ),
  outcomes: z.optional(
    z.array(WrapUpOutcome).check(
      z.minLength(1, 'expected at least one outcome'),
      z.maxLength(maxOutcomes, `expected at most ${maxOutcomes} outcomes`),
      z.refine(
        (outcomes) => new Set(outcomes.map(({ code }) => code)).size === outcomes.length,
        'expected each code once',
      ),
    ),
  ),
  requireOutcome: z.optional(z.boolean()),
});

export const defaultRules: Rules = { templates: [], outcomes: [...defaultOutcomes], requireOutcome: false };

/** @throws Error that names every place that is wrong, not only the first. */
export function parseRules(json: unknown): Rules {
  const parsed = RulesFile.safeParse(json);
  if (!parsed.success)
    throw new Error(
      parsed.error.issues
        .map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
        .join('; '),
    );
  const { templates = [], outcomes = defaultRules.outcomes, requireOutcome = false } = parsed.data;
  return {
    templates: templates.flatMap((each) => ('preset' in each ? templatesOf(each) : [each])),
    outcomes,
    requireOutcome,
  };
}
