/**
 * The record of a key, with its address for people: at the CRM's `_PUBLIC_URL` where that is set, else at its
 * template's origin.
 */
import type { LinkedRecord } from '../../shared/record/call-parts.ts';
import { linkedRecord, type RecordKey, type RecordTemplate } from '../../shared/record/template.ts';
import type { RelaySettings } from '../settings.ts';

/** @returns undefined where no template has such a record. */
export function recordLink(
  key: RecordKey,
  templates: readonly RecordTemplate[],
  { crms }: Pick<RelaySettings, 'crms'>,
): LinkedRecord | undefined {
  const linked = linkedRecord(key, templates);
  const publicUrl = crms.find(({ name }) => name === key.system)?.publicUrl;
  if (!linked || publicUrl === undefined) return linked;
  const { pathname, search, hash } = new URL(linked.url);
  return { ...linked, url: `${new URL(publicUrl).origin}${pathname}${search}${hash}` };
}
