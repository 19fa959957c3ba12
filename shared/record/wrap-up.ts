/** Wrap-up: what the agent says of a call afterwards, and the outcomes that the team chooses from. */
import { z } from 'zod/mini';
import { CallerCode } from '../service/request.ts';

export const OutcomeCode = z
  .string()
  .check(z.regex(/^[a-z][A-Za-z0-9]{0,39}$/, 'expected a word of letters and digits'));
const Label = z.string().check(z.minLength(1), z.maxLength(60, 'expected at most 60 characters'));

export const WrapUpOutcome = z.strictObject({
  code: OutcomeCode,
  /** What the button says, by language. A language without a label shows the English one. */
  label: z.strictObject({ en: Label, pt_BR: z.optional(Label), es: z.optional(Label) }),
  needsNote: z.optional(z.boolean()),
  asksForTime: z.optional(z.boolean()),
  doNotCall: z.optional(z.boolean()),
  /** The item of a call sheet is due again after so many hours, for anybody of the team. */
  againHours: z.optional(
    z
      .number()
      .check(z.minimum(0.01, 'expected hours above 0'), z.maximum(8760, 'expected at most 8760 hours')),
  ),
});
export type WrapUpOutcome = z.infer<typeof WrapUpOutcome>;

/** Eight outcomes, so that one digit chooses each of them. */
export const defaultOutcomes: readonly WrapUpOutcome[] = [
  { code: 'reached', label: { en: 'Reached', pt_BR: 'Atendeu', es: 'Contactado' } },
  { code: 'voicemail', label: { en: 'Voicemail left', pt_BR: 'Recado deixado', es: 'Mensaje en el buzón' } },
  {
    code: 'noAnswer',
    label: { en: 'No answer', pt_BR: 'Não atendeu', es: 'No contesta' },
    againHours: 2,
  },
  { code: 'busy', label: { en: 'Busy', pt_BR: 'Ocupado', es: 'Ocupado' }, againHours: 2 },
  {
    code: 'callAgain',
    label: { en: 'Call again', pt_BR: 'Ligar de novo', es: 'Volver a llamar' },
    asksForTime: true,
  },
  { code: 'wrongNumber', label: { en: 'Wrong number', pt_BR: 'Número errado', es: 'Número equivocado' } },
  { code: 'notInterested', label: { en: 'Not interested', pt_BR: 'Sem interesse', es: 'Sin interés' } },
  {
    code: 'doNotCall',
    label: { en: 'Do not call', pt_BR: 'Não ligar mais', es: 'No llamar más' },
    doNotCall: true,
  },
];

export const maxNoteCharacters = 10_000;

/** ISO 8601 with an offset or Z. */
export const Instant = z.string().check(
  z.refine(
    (value) => /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value)),
    {
      error: 'expected a time like 2026-11-23T15:00:00Z',
    },
  ),
);

/** PATCH /v1/calls/{id}/wrap-up. A field that is absent stays as it was; null removes it. */
export const WrapUpRequest = z.strictObject({
  outcome: z.optional(z.nullable(OutcomeCode)),
  note: z.optional(
    z.nullable(
      z.string().check(z.maxLength(maxNoteCharacters, `expected at most ${maxNoteCharacters} characters`)),
    ),
  ),
  callBackAt: z.optional(z.nullable(Instant)),
  /** Hands the callback to a colleague's extension. */
  callBackBy: z.optional(z.nullable(CallerCode)),
});
export type WrapUpRequest = z.infer<typeof WrapUpRequest>;
