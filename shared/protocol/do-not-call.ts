/** Numbers that must not be called, as the relay reads and sends them (/v1/rules/do-not-call). */
import { z } from 'zod/mini';
import { Instant } from '../record/wrap-up.ts';

export const maxReasonCharacters = 500;
export const Reason = z
  .string()
  .check(
    z.minLength(1, 'expected a reason'),
    z.maxLength(maxReasonCharacters, `expected at most ${maxReasonCharacters} characters`),
  );

/** A number as people write it: `+55 48 99999-8888`, `(48) 99999-8888`. */
const WrittenNumber = z.string().check(z.minLength(2), z.maxLength(64, 'expected at most 64 characters'));

/** Either a number, or a prefix of the numbers that are meant. */
const listed = { number: z.optional(WrittenNumber), prefix: z.optional(WrittenNumber) };
const isOneOfThem = z.refine<{ number?: string | undefined; prefix?: string | undefined }>(
  ({ number, prefix }) => (number === undefined) !== (prefix === undefined),
  'expected either "number" or "prefix"',
);

/** DELETE /v1/rules/do-not-call. */
export const ListedNumber = z.strictObject(listed).check(isOneOfThem);
export type ListedNumber = z.infer<typeof ListedNumber>;

/** POST /v1/rules/do-not-call. Without `until` the entry stays. */
export const DoNotCallRequest = z
  .strictObject({ ...listed, until: z.optional(Instant), reason: z.optional(Reason) })
  .check(isOneOfThem);
export type DoNotCallRequest = z.infer<typeof DoNotCallRequest>;

/** Times are ISO 8601 UTC. */
const shownFields = {
  /** Who asked for the entry: the name of a key, or the caller that it stands for. */
  by: z.string(),
  at: z.string(),
  until: z.optional(z.string()),
  reason: z.optional(z.string()),
};

/** What agents read of an entry beside its number. */
export const ShownEntry = z.object(shownFields);

export const DoNotCallEntry = z.object({
  ...shownFields,
  /** The number with its country code and a plus; plain digits where the country is not known. */
  number: z.optional(z.string()),
  prefix: z.optional(z.string()),
  /** `agent`, `wrapUp`, `operator`, `import`, or the name of a list. */
  source: z.string(),
  /** The call whose wrap-up listed it. */
  callId: z.optional(z.string()),
});
export type DoNotCallEntry = z.infer<typeof DoNotCallEntry>;
