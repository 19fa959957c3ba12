/**
 * What is known of numbers: names from the directory, the team's last talk, do not call, and leases.
 * Numbers are asked for in the body of a request, since addresses stay in the logs of proxies.
 */
import { z } from 'zod/mini';
import { ShownEntry } from './do-not-call.ts';

export const maxNumbersPerRequest = 50;
const maxQueryLength = 100;

/** E.164 with its plus, or the digits of an internal extension. */
const AskedNumber = z
  .string()
  .check(z.regex(/^(?:\+[1-9]\d{4,14}|\d{1,11})$/, 'expected a number like +5548999998888, or an extension'));

/** POST /v1/numbers/status. */
export const NumberStatusRequest = z.strictObject({
  numbers: z
    .array(AskedNumber)
    .check(
      z.minLength(1, 'expected at least one number'),
      z.maxLength(maxNumbersPerRequest, `expected at most ${maxNumbersPerRequest} numbers`),
    ),
});
export type NumberStatusRequest = z.infer<typeof NumberStatusRequest>;

/** A person or place that has the number. `source` is the directory's own name for the source of the entry. */
export const DirectoryName = z.object({
  name: z.string(),
  organisation: z.optional(z.string()),
  role: z.optional(z.string()),
  source: z.string(),
});
export type DirectoryName = z.infer<typeof DirectoryName>;

export const NumberStatus = z.object({
  /** The number in the form in which it was asked for. */
  number: z.string(),
  /** The first few people or places that have the number; `count` is how many there are. */
  names: z.array(DirectoryName),
  count: z.int().check(z.nonnegative()),
  /** The organisation, if all names belong to the same organisation. */
  organisation: z.optional(z.string()),
  /** The newest call of the team in which somebody talked. `by` is the name of a key; `at` ISO 8601 UTC. */
  lastTalk: z.optional(z.object({ by: z.string(), at: z.string(), seconds: z.int() })),
  /** Since when the number must not be dialled, and until when. ISO 8601 UTC. */
  doNotCall: z.optional(ShownEntry),
  /** Somebody is calling the number now. `by` is absent if the name must not be known. */
  lease: z.optional(z.object({ by: z.optional(z.string()), since: z.string() })),
  /** Code of the problem that a call would get now. */
  limit: z.optional(z.enum(['tooManyAttempts', 'listTooOld'])),
});
export type NumberStatus = z.infer<typeof NumberStatus>;

/**
 * The numbers in the order of the request. `epoch` changes with what is known. Replies of an earlier epoch must be
 * forgotten.
 */
export const NumberStatusPage = z.object({ epoch: z.string(), numbers: z.array(NumberStatus) });
export type NumberStatusPage = z.infer<typeof NumberStatusPage>;

/**
 * `event: names` of the stream, at its opening and with every change of names, do not call or leases. `leasesOnly`:
 * names and entries that are shown are still right.
 */
export const NamesEvent = z.object({ epoch: z.string(), leasesOnly: z.optional(z.boolean()) });
export type NamesEvent = z.infer<typeof NamesEvent>;

/** POST /v1/directory/search: part of a name or an organisation, or initials; accents may be left out. */
export const DirectorySearchRequest = z.strictObject({
  q: z
    .string()
    .check(
      z.minLength(1, 'expected what to search for'),
      z.maxLength(maxQueryLength, `expected at most ${maxQueryLength} characters`),
    ),
});
export type DirectorySearchRequest = z.infer<typeof DirectorySearchRequest>;

export const DirectoryEntry = z.object({
  name: z.string(),
  organisation: z.optional(z.string()),
  role: z.optional(z.string()),
  /** Numbers as `NumberStatusRequest` takes them, at least one. `label` is the source's own word: `cell`, `work`. */
  numbers: z.array(z.object({ number: z.string(), label: z.optional(z.string()) })),
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

export const DirectorySearchPage = z.object({ epoch: z.string(), entries: z.array(DirectoryEntry) });
export type DirectorySearchPage = z.infer<typeof DirectorySearchPage>;

/** "Ana Prado, Acme"; of several people "Acme (8)", or "Ana Prado (2)" where they share no organisation. */
export function nameText(status: Pick<NumberStatus, 'names' | 'count' | 'organisation'>): string | undefined {
  const [first] = status.names;
  if (!first) return undefined;
  if (status.count > 1) return `${status.organisation ?? first.name} (${status.count})`;
  const { name, organisation } = first;
  return organisation && organisation !== name ? `${name}, ${organisation}` : name;
}
