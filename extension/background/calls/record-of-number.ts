/** Decides by addresses which record a number is about: a page cannot name a record of another origin. */
import { isSameRecord } from '../../../shared/record/call-parts.ts';
import { type RecordKey, recordAt } from '../../../shared/record/template.ts';
import { recordAtAddress, teamRules } from './team-rules.ts';

interface NumberPlace {
  /** The address whose record it is. */
  address: string | undefined;
  /** Address of the frame that shows the number. */
  frame: string;
  /** The addresses of the links in the number's row. */
  links: readonly string[] | undefined;
}

interface FoundRecord {
  record?: RecordKey;
  /** The page's own text leads to it, not the browser's address. */
  isFromPage?: boolean;
}

/** The record of the address; in a list of records, the only one of the frame's origin that the row links to. */
export async function recordOfNumber({ address, frame, links = [] }: NumberPlace): Promise<FoundRecord> {
  const ofAddress = await recordAtAddress(address);
  if (ofAddress) return { record: ofAddress };
  const { templates = [] } = (await teamRules()) ?? {};
  const own = templates.filter(({ origin }) => URL.canParse(frame) && new URL(frame).origin === origin);
  const [record, ...others] = links.flatMap((link) => recordAt(link, own) ?? []);
  return record && others.every((other) => isSameRecord(other, record)) ? { record, isFromPage: true } : {};
}
