/** A real CRM, as the contract of connectors needs it. It runs for one test file. */
import { freshRequest } from './fresh-request.ts';

/** Adds and changes people of a CRM, as its users do. */
interface CrmPeopleEditor {
  /** @returns the id. */
  add(person: { name: string; organisation: string; phone: string }): Promise<string>;
  setPhone(id: string, phone: string): Promise<void>;
  archive(id: string): Promise<void>;
  /** Absent where the CRM does not delete people. */
  remove?(id: string): Promise<void>;
  /** The id of a record in the index. */
  uid(id: string): string;
  /** True where contacts have an organisation. Tryton's parties have none. */
  hasOrganisation: boolean;
}

export interface RealCrm {
  url: string;
  /** `KIND`, `TOKEN` and the others of `DIALMARK_CRM_<NAME>_…`, without the address. */
  settings: Readonly<Record<string, string>>;
  /** The pattern of the addresses of records. */
  pattern: string;
  kind: string;
  /** Two records, and an id without one. */
  records: readonly [string, string];
  missing: string;
  /** What `check` says of the relay's user. */
  who: RegExp;
  /** The right that `check` names as missing for a reader. */
  readerLacks: RegExp;
  /** Whether a request creates an entry. */
  isCreation(method: string, path: string, body: string): boolean;
  /** The texts of a record's entries, as its users read them. */
  texts(id: string): Promise<string[]>;
  /** @param phone stands on the record's page. @returns the id of a new record. */
  addRecord(phone?: string): Promise<string>;
  /** @returns the settings of a user of the relay's who reads the first record, and may not write on it. */
  addReader(): Promise<Record<string, string>>;
  /** Absent if the relay does not read names from this CRM. */
  people?: CrmPeopleEditor;
  /** Kills it, whatever it does, and starts it again on the same data. */
  restart(): Promise<void>;
}

/** The template of its records for the relay's rules. The relay logs there as the system `crm`. */
export const templateOf = ({ url, pattern, kind }: Pick<RealCrm, 'url' | 'pattern' | 'kind'>) =>
  ({ system: 'crm', origin: url, pattern, kind }) as const;

/** @returns the JSON of a successful answer. */
export async function askJson(
  url: string,
  headers: Record<string, string>,
  body?: unknown,
  method = 'POST',
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on it at once
): Promise<any> {
  const { status, body: answer } = await freshRequest(url, {
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
  });
  if (status >= 300) throw new Error(`${url}: HTTP ${status} ${answer}`);
  return JSON.parse(answer.toString());
}
