/** `rules`: changes the numbers that must not be called, in the store beside a running relay. */
import { createReadStream } from 'node:fs';
import { keyOfNumber, keyOfPrefix, type ListedKey } from '../../shared/rules/callee.ts';
import { unreadableFile } from '../../shared/server/environment.ts';
import { printNote, printRow, reportUnknown } from '../../shared/server/print.ts';
import { listedEntry, nameOfKey } from '../rules/listed-entry.ts';
import { eachLine } from '../rules/lists/each-line.ts';
import { ListReader } from '../rules/lists/read-list.ts';
import { homeOf, rulesOf } from '../rules/rules-file.ts';
import type { RelaySettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { auditRecord } from '../store/team-rules.ts';
import { writePages } from './store-beside-relay.ts';

const by = 'operator';
const pageSize = 500;
/** The most numbers of an import. Larger lists belong in the rules file; there they need no room in the store. */
const maxImported = 100_000;

/** @throws Error where it is not clear which number is meant. */
function readListedKey(text: string, settings: RelaySettings): Extract<ListedKey, { key: string }> {
  const written = text.trim();
  const { country, areaCode } = homeOf(settings, rulesOf(settings.rulesFile).common);
  const listed = written.endsWith('*')
    ? keyOfPrefix(written, country)
    : keyOfNumber(written, country, areaCode);
  if ('key' in listed) return listed;
  throw new Error(
    listed.why === 'needsCountry'
      ? `${written}: set DIALMARK_COUNTRY first; without it the digits behind a country code are not known`
      : `${written}: expected a number with its country code, like +5548999998888`,
  );
}

export async function addListed(
  store: Store,
  settings: RelaySettings,
  written: string,
  more: { until?: string | undefined; reason?: string | undefined },
): Promise<void> {
  const added = listedEntry(readListedKey(written, settings), { by, source: by, ...more });
  const changed = await store.rules.list([added], [auditRecord('doNotCall.add', by, added.key)]);
  process.stdout.write(`${shown(added.entry)} ${changed > 0 ? 'listed' : 'was listed already'}\n`);
}

export async function removeListed(store: Store, settings: RelaySettings, written: string): Promise<void> {
  const { key, display } = readListedKey(written, settings);
  if (!(await store.rules.unlist(key, auditRecord('doNotCall.remove', by, key))))
    return reportUnknown(written, 'expected a number that is listed; `rules list` shows them');
  process.stdout.write(`${shown(nameOfKey(key, display))} removed\n`);
}

export async function printListed(store: Store): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { rows, next } = await store.rules.listed(after, pageSize);
    for (const { entry } of rows) {
      const { at, until = '-', source, reason = '' } = entry;
      printRow([shown(entry), entry.by, at, until, source, reason]);
    }
    after = next;
  }
}

/** Lists the numbers of a file, but nothing if the file cannot be read as a whole. */
export async function importList(
  store: Store,
  settings: RelaySettings,
  path: string,
  { column, reason }: { column?: string; reason?: string },
): Promise<void> {
  const keys = new Set<string>();
  const isPlace = column !== undefined && /^\d+$/.test(column);
  const home = homeOf(settings, rulesOf(settings.rulesFile).common);
  const reader = new ListReader({ column: isPlace ? Number(column) : column, ...home }, (key) =>
    keys.add(key),
  );
  await eachLine(createReadStream(path), 'utf8', (line) => {
    reader.readLine(line);
    if (keys.size > maxImported)
      throw new Error(`${path}: more than ${maxImported} numbers; name it under "lists" in the rules file`);
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code ? new Error(unreadableFile(path, error.code)) : error;
  });
  reader.end();
  if (keys.size === 0) throw new Error(`${path}: no number in it`);
  const entries = [...keys].map((key) => listedEntry({ key }, { by, source: 'import', reason }));
  const audited = auditRecord('doNotCall.add', by, `${entries.length} numbers`, { detail: `from ${path}` });
  let changed = 0;
  await writePages(entries, async (page, isFirst) => {
    // Audited with the first numbers, so that an interrupted import is audited, too.
    changed += await store.rules.list(page, isFirst ? [audited] : []);
  });
  process.stdout.write(`new numbers: ${changed} of ${entries.length}\n`);
  if (reader.unread > 0) printNote(`lines without a number: ${reader.unread}`);
}

const shown = ({ number, prefix }: { number?: string | undefined; prefix?: string | undefined }): string =>
  number ?? `${prefix}*`;
