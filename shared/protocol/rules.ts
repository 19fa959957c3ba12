/**
 * The team's rules: what the operator writes into `DIALMARK_RULES_FILE`, and what browsers get of it (GET /v1/rules,
 * `event: rules`).
 */
import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod/mini';
import { DialRule, NumberSettings } from '../numbers/number-settings.ts';
import { PresetTemplate, templatesOfPreset } from '../record/presets.ts';
import { RecordTemplate } from '../record/template.ts';
import { defaultOutcomes, WrapUpOutcome } from '../record/wrap-up.ts';
import { isTimeZone } from '../rules/local-clock.ts';

const TimeZone = z.string().check(z.refine(isTimeZone, 'expected a time zone like America/Sao_Paulo'));

const ClockTime = z
  .string()
  .check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'expected a time of day like 08:00'));

/** When the people of a country may be called, by their own clocks. */
export const CallingHours = z.strictObject({
  /** 0 (Sunday) to 6. */
  days: z
    .array(z.int().check(z.minimum(0), z.maximum(6, 'expected a day from 0 (Sunday) to 6')))
    .check(z.minLength(1, 'expected at least one day')),
  from: ClockTime,
  to: ClockTime,
  /** Absent: all zones of the country. The hour must be right in each zone. */
  zones: z.optional(z.array(TimeZone).check(z.minLength(1))),
});
export type CallingHours = z.infer<typeof CallingHours>;

/** Hours by country. `other` holds for countries that are not named. */
const HoursByCountry = z.record(
  z
    .string()
    .check(
      z.refine(
        (code) => code === 'other' || isSupportedCountry(code),
        'expected a country code like BR, or other',
      ),
    ),
  CallingHours,
);

/** What the relay refuses, whatever a browser decided. With this, the browser can say it before the click. */
const RelayRefusals = z.object({
  /** The only countries that are dialled; absent: all. */
  countries: z.optional(z.array(z.string())),
  blockedPrefixes: z.array(z.string()),
  shortNumbers: z.boolean(),
  /** The country of the relay's line, if it is known. */
  country: z.optional(NumberSettings.shape.country),
});

/** How numbers are read and dialled where the agent's own settings leave it open. */
const numberDefaults = {
  country: z.optional(NumberSettings.shape.country),
  areaCode: NumberSettings.shape.areaCode,
  extensions: z.optional(NumberSettings.shape.extensions),
  dialRules: z.optional(z.array(DialRule)),
};

const maxAttempts = z.int().check(z.minimum(1, 'expected at least 1'));

/** What browsers get. */
export const Rules = z.object({
  templates: z.array(RecordTemplate),
  outcomes: z.array(WrapUpOutcome),
  /** Whether a finished call needs an outcome before the next one is placed. */
  requireOutcome: z.boolean(),
  numbers: z.optional(z.object(numberDefaults)),
  refuses: z.optional(RelayRefusals),
  callingHours: z.optional(HoursByCountry),
  maxAttemptsPerDay: z.optional(maxAttempts),
  /** The zone by whose clock the team's day begins. Without it, that of the relay's machine. */
  timeZone: z.optional(TimeZone),
  /** Whether browsers remove the notes of their calls once their key is revoked. */
  removeNotesWithKey: z.optional(z.boolean()),
  /** Whether this key may call with a reason what the team's rules refuse. */
  mayOverride: z.optional(z.boolean()),
});
export type Rules = z.infer<typeof Rules>;

const maxTemplates = 200;
const maxOutcomes = 30;

/** What the operator may set for everybody and for each team. */
const teamRuleFields = {
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
  numbers: z.optional(z.strictObject(numberDefaults)),
  callingHours: z.optional(HoursByCountry),
  maxAttemptsPerDay: z.optional(maxAttempts),
  timeZone: z.optional(TimeZone),
  removeNotesWithKey: z.optional(z.boolean()),
};

const ListName = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/, 'expected a name like national'));

const ListColumn = z.int().check(z.minimum(1));

/** A list of numbers that must not be called, from a file or an address. Each relay builds its own copy. */
export const NumberList = z
  .strictObject({
    name: ListName,
    /** A path, or an address that starts with https:// or http://. */
    from: z.string().check(z.minLength(1)),
    /** The column of a CSV, from 1, or its head. Several are joined. Without it, the first column with a number. */
    column: z.optional(z.union([ListColumn, z.array(ListColumn).check(z.minLength(1)), z.string()])),
    /** The country of numbers without a country code. Without it, the relay's. */
    country: z.optional(NumberSettings.shape.country),
    /** The fewest numbers of a list. A list with fewer numbers counts as broken. */
    minNumbers: z.optional(z.int().check(z.minimum(1))),
    /** The share of its numbers that a list must still have; absent: 0.95. */
    minShare: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    refreshHours: z.optional(z.number().check(z.minimum(0.01), z.maximum(8760))),
    /** How old a list may be. An older list raises an alarm. */
    maxAgeDays: z.optional(z.int().check(z.minimum(1))),
    /** Whether an older list, or one that was never built, also refuses every call. */
    refuseWhenOld: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ refuseWhenOld, maxAgeDays }) => !refuseWhenOld || maxAgeDays !== undefined, {
      path: ['refuseWhenOld'],
      error: 'expected maxAgeDays beside it: without an age the list is never old',
    }),
  );
export type NumberList = z.infer<typeof NumberList>;

/** The file. Everything is optional: an empty object is the default. */
const RulesFile = z.strictObject({
  ...teamRuleFields,
  /** Rules by the team of a key. For what a team leaves out, the rules for everybody hold. */
  teams: z.optional(z.record(z.string(), z.strictObject(teamRuleFields))),
  lists: z.optional(
    z.array(NumberList).check(
      z.maxLength(20, 'expected at most 20 lists'),
      z.refine(
        (lists) => new Set(lists.map(({ name }) => name)).size === lists.length,
        'expected each name once',
      ),
    ),
  ),
});
type RulesFile = z.infer<typeof RulesFile>;
type TeamRules = Omit<RulesFile, 'teams' | 'lists'>;

export interface ParsedRules {
  /** The rules of keys without a team, and of teams without rules of their own. */
  common: Rules;
  byTeam: ReadonlyMap<string, Rules>;
  lists: readonly NumberList[];
}

export const defaultRules: Rules = { templates: [], outcomes: [...defaultOutcomes], requireOutcome: false };

/** @throws Error that names every place that is wrong, not only the first. */
export function parseRules(json: unknown): ParsedRules {
  const parsed = RulesFile.safeParse(json);
  if (!parsed.success)
    throw new Error(
      parsed.error.issues
        .flatMap((issue) => templateProblemsOf(issue, json))
        .map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
        .join('; '),
    );
  const { teams = {}, lists = [], ...common } = parsed.data;
  return {
    common: rulesFrom(common),
    byTeam: new Map(
      Object.entries(teams).map(([team, own]) => [team, rulesFrom({ ...common, ...own })] as const),
    ),
    lists,
  };
}

type TemplateProblem = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** Names the wrong fields of a template. Of its two forms, only the problems of the one that it has are named. */
function templateProblemsOf(issue: z.core.$ZodIssue, json: unknown): TemplateProblem[] {
  if (issue.code !== 'invalid_union' || issue.path.at(-2) !== 'templates') return [issue];
  const template = issue.path.reduce<unknown>((value, key) => Object(value)[key], json);
  // If it has neither form, both forms are named.
  if (Object(template) !== template || Object.keys(template as object).length === 0) return [issue];
  const [ofTemplate, ofPreset] = issue.errors;
  const problems = 'preset' in Object(template) ? ofPreset! : ofTemplate!;
  return problems.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

function rulesFrom({ templates = [], outcomes, requireOutcome, ...rest }: TeamRules): Rules {
  return {
    ...rest,
    templates: templates.flatMap((each) => ('preset' in each ? templatesOfPreset(each) : [each])),
    outcomes: outcomes ?? defaultRules.outcomes,
    requireOutcome: requireOutcome ?? false,
  };
}
