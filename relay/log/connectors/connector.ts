/** What a connector does: finds and creates the entry of a call in one kind of CRM. It changes nothing else there. */
import type { Call } from '../../../shared/call/call.ts';
import type { LinkedRecord } from '../../../shared/record/call-parts.ts';
import type { CrmClient } from './crm-client.ts';

/** One call's entry as every connector gets it. */
export interface LogEntry {
  /** `dialmark:CALL-ID`, or `dialmark:CALL-ID/2` for a later part; the last line of the text. */
  marker: string;
  record: LinkedRecord;
  /** Counts the entries of the call on this record, from 1. */
  part: number;
  /** `moved`: says that the call belongs to another record, or to none. */
  kind: 'call' | 'moved';
  /** Lines separated by `\n`, the marker last. */
  text: string;
  /** The agent's user in the CRM, if `_USERS` names one. */
  login?: string;
  /** The talk of the call that belongs to this record: 0 for a call that was moved. */
  talkSeconds: number;
  /** How much of the talk earlier entries on this record have counted. */
  secondsBefore: number;
  /** The whole Call, for a webhook. */
  call: Call;
  /** When the call was placed, ISO 8601 UTC: no entry of it is older. */
  placedAt: string;
}

/** An entry that exists. `url` is its own address; absent if only the record has an address. */
export interface FoundEntry {
  url?: string;
}

/** What is needed to look for an entry. */
export type SoughtEntry = Pick<LogEntry, 'marker' | 'record' | 'placedAt'>;

/** What the relay learns about a CRM without writing there. */
interface CrmCheck {
  /** As which user the relay works there, for the operator. */
  who: string;
  /** Rights that its user lacks, and without which calls are not logged, in the CRM's own words. */
  missing: readonly string[];
  /** What could not be found out, and why. */
  untested?: string;
}

/** The address of a CRM, and the user as whom the relay writes there. */
export interface CrmSettings {
  /** The address that the relay uses. No trailing slash. */
  url: string;
  user?: string | undefined;
  token?: string | undefined;
  database?: string | undefined;
  /** Logins by extension, where entries are written in an agent's name. */
  users?: Readonly<Record<string, string>>;
}

/** Every method throws `CrmError`, or a `TypeError` where a reply has another shape than it should. */
export interface Connector {
  /** Looks for the entry with this marker at its record. Absent where the receiver recognises a repetition. */
  find?(entry: SoughtEntry, client: CrmClient): Promise<FoundEntry | undefined>;
  /** Creates the entry. Called only if `find` has not found it, or if a request was never sent. */
  create(entry: LogEntry, client: CrmClient): Promise<FoundEntry>;
  /**
   * Logs in, looks for an entry and reads the user's rights. Writes nothing.
   * @param kinds of records, by the templates.
   */
  check(client: CrmClient, kinds: readonly string[]): Promise<CrmCheck>;
}

/** An entry that does not exist, to test `find` with. */
export const absentEntry = (kind: string, id: string): SoughtEntry => ({
  marker: 'dialmark:check',
  record: { system: 'check', kind, id, url: '' },
  placedAt: new Date().toISOString(),
});

/** Whether a text's last line is the marker: a note may quote another entry's marker. */
export const endsWithMarker = (text: string, marker: string): boolean =>
  text.trimEnd().split(/\r?\n/).at(-1)?.trim() === marker;
