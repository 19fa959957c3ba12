/** Finds the record of a number. Only addresses decide, so a page cannot name a record of another origin. */
import { isSameRecord } from '../../../shared/record/call-parts.ts';
import { type RecordKey, recordAt } from '../../../shared/record/template.ts';
import { recordAtAddress, teamRules } from './team-rules.ts';

interface NumberPlace {
  /** The address that decides first: the tab's, or else the frame's own. */
  address: string | undefined;
  /** Address of the frame that shows the number. */
  frame: string;
  /** The addresses of the links in the number's row. */
  links: readonly string[] | undefined;
}

interface FoundRecord {
  record?: RecordKey;
  /** The record comes from a link in the page, not from the browser's address. */
  isFromPage?: boolean;
}

/** The record of the address. Without it: the only record of the frame's origin to which the row's links lead. */
export async function recordOfNumber({ address, frame, links = [] }: NumberPlace): Promise<FoundRecord> {
  const ofAddress = await recordAtAddress(address);
  if (ofAddress) return { record: ofAddress };
  const { templates = [] } = (await teamRules()) ?? {};
  const own = templates.filter(({ origin }) => URL.canParse(frame) && new URL(frame).origin === origin);
  const [record, ...others] = links.flatMap((link) => recordAt(link, own) ?? []);
  return record && others.every((other) => isSameRecord(other, record)) ? { record, isFromPage: true } : {};
}
