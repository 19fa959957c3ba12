/**
 * vCards of versions 2.1 to 4.0. ical.js reads single properties: parameters, quotes and escapes. This file does the
 * rest, like Thunderbird: lines of version 2.1, quoted-printable, and dropping unwanted properties.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import ICAL from 'ical.js';
import type { WrittenPerson } from '../person.ts';
import { inBatches, maskNumbersIn, type PulledEntry, type Source, SourceError } from './source.ts';
import { readText, splitLines } from './text-file.ts';

const kept = /^(?:[\w-]+\.)?(VERSION|UID|FN|N|ORG|TITLE|ROLE|TEL|END|BEGIN)[;:]/i;
const maxNumbers = 40;
/** The most values of any property except TEL. The second value is used if the first cannot be read. */
const maxRepeated = 2;
/** The most characters of one property with its folded lines. Fifty longer properties would delay the relay. */
const maxPropertyLength = 4096;
const maxUidLength = 200;

interface VCard {
  uid?: string;
  properties: string[];
  isVersion4: boolean;
  /** How many properties of each name the card has. */
  counts: Map<string, number>;
  /** How many cards of version 2.1 are open within this card. */
  depth: number;
}

/** @param file path of the file. */
export function vcardSource(file: string): Source {
  return {
    file,
    async *pull() {
      yield* inBatches(entriesOf(readCardsOfFile(file)));
      return { isComplete: true };
    },
    async check() {
      let cards = 0;
      for await (const _ of readCardsOfFile(file)) cards++;
      return `${cards} cards`;
    },
  };
}

async function* entriesOf(cards: AsyncIterable<ReadCard>): AsyncGenerator<PulledEntry, void> {
  for await (const { uid, written } of cards) yield { uid, written };
}

/**
 * @throws SourceError where the file holds a text without a card, such as the page of a log-in, or a card without its
 * end. The cards behind it must not count as gone.
 */
async function* readCardsOfFile(file: string): AsyncGenerator<ReadCard, void> {
  let begin = '';
  async function* text() {
    for await (const chunk of readText(file)) {
      begin ||= chunk.trimStart().slice(0, 40);
      yield chunk;
    }
  }
  const { count, isCut } = yield* readCards(text());
  if (count > 0 && isCut)
    throw new SourceError(`card ${count + 1} has no END:VCARD; the cards behind it cannot be read`);
  if (count > 0 || begin === '') return;
  const [line = ''] = begin.split(/\p{Cc}/u);
  const shown = maskNumbersIn(line) || 'something else';
  throw new SourceError(
    `expected vCards, each from BEGIN:VCARD to END:VCARD; the file begins with: ${shown}`,
  );
}

interface ReadCard {
  /** Its UID, or a digest of what was read. */
  uid: string;
  written: WrittenPerson;
}

/** @returns how many cards were read, and whether the last one has no end. */
export async function* readCards(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ReadCard, { count: number; isCut: boolean }> {
  let card: VCard | undefined;
  let count = 0;
  for await (const line of unfold(splitLines(chunks))) {
    const property = kept.exec(line)?.[1]?.toUpperCase();
    if (property === undefined) continue;
    if (property === 'BEGIN') {
      if (!card) card = { properties: [], isVersion4: false, counts: new Map(), depth: 0 };
      else card.depth++;
    } else if (!card) continue;
    else if (property === 'END') {
      if (card.depth-- > 0) continue;
      yield readCard(card);
      count++;
      card = undefined;
    } else if (card.depth === 0) addProperty(card, property, line);
  }
  return { count, isCut: card !== undefined };
}

function addProperty(card: VCard, property: string, line: string): void {
  if (property === 'VERSION') card.isVersion4 = line.trim().endsWith('4.0');
  else if (property === 'UID') card.uid = line.slice(line.indexOf(':') + 1).trim();
  else {
    const count = (card.counts.get(property) ?? 0) + 1;
    card.counts.set(property, count);
    if (count <= (property === 'TEL' ? maxNumbers : maxRepeated))
      card.properties.push(line.slice(0, maxPropertyLength));
  }
}

/**
 * Joins folded lines, and lines that quoted-printable breaks. Properties that are not kept are dropped with all their
 * lines.
 */
async function* unfold(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string, void> {
  let property: string | undefined;
  let isKept = false;
  let last = '';
  for await (const lines of batches) {
    // Calls and notifications go first.
    await setImmediate();
    for (const line of lines) {
      const isFolded = line.startsWith(' ') || line.startsWith('\t');
      const goesOn = property !== undefined && (isFolded || isBroken(property, last));
      if (!goesOn) {
        if (property !== undefined && isKept) yield property;
        property = line;
        isKept = kept.test(line);
      } else if (isKept && property!.length < maxPropertyLength) {
        const start = isBroken(property!, last) ? property!.slice(0, -1) : property!;
        property = start + line.slice(isFolded ? 1 : 0);
      }
      last = line;
    }
  }
  if (property !== undefined && isKept) yield property;
}

const quotedPrintable = /;(?:ENCODING=)?QUOTED-PRINTABLE\b/i;

/** @param last line of the property. */
const isBroken = (property: string, last: string): boolean =>
  last.endsWith('=') && quotedPrintable.test(headOf(property));

function headOf(line: string): string {
  return line.slice(0, endOfHead(line));
}

/** The colon before the value is the first one outside quotes. */
function endOfHead(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return at;
  }
  return line.length;
}

function readCard({ uid, properties, isVersion4 }: VCard): ReadCard {
  const numbers: { text: string; label?: string }[] = [];
  let named: string | undefined;
  let structured: string | undefined;
  let organisation: string | undefined;
  let role: string | undefined;
  for (const line of properties) {
    const property = readProperty(line, isVersion4);
    if (!property) continue;
    const { name, values, label } = property;
    const text = values.join(', ');
    if (name === 'tel') numbers.push({ text, ...(label ? { label } : {}) });
    else if (name === 'fn') named ??= text;
    else if (name === 'n') structured ??= [values[1], values[2], values[0]].filter(Boolean).join(' ');
    else if (name === 'org') organisation ??= values[0];
    else role ??= text;
  }
  const name = named?.trim() || structured;
  const written = { name, organisation, role, numbers };
  const id = uid || hash('sha256', JSON.stringify(written), 'base64url');
  return { uid: id.length > maxUidLength ? hash('sha256', id, 'base64url') : id, written };
}

interface ReadProperty {
  name: string;
  values: string[];
  label: string | undefined;
}

/** @returns undefined for a fax or for a line that is not a property. The card's other properties still count. */
function readProperty(line: string, isVersion4: boolean): ReadProperty | undefined {
  const head = headOf(line);
  const value = line.slice(head.length + 1);
  const parameters = head.split(';');
  // Version 2.1 leaves out the names: TEL;CELL;VOICE, N;QUOTED-PRINTABLE.
  const named = parameters.map((part, at) => (at === 0 || part.includes('=') ? part : `TYPE=${part}`));
  const lasting = named.filter((part) => !/^(?:ENCODING|CHARSET|TYPE=QUOTED-PRINTABLE)/i.test(part));
  const charset = /;CHARSET="?([\w-]+)/i.exec(head)?.[1];
  const decoded = quotedPrintable.test(head) ? decodeQuotedPrintable(value, charset) : value;
  try {
    const { vcard, vcard3 } = ICAL.design;
    // With one part alone, ical.js takes a comma for the end of a part. An empty part behind it prevents this.
    const end = /^(?:[\w-]+\.)?N$/i.test(parameters[0]!) ? ';' : '';
    const property = ICAL.Property.fromString(
      `${lasting.join(';')}:${decoded.replace(/[\r\n]+/g, ' ')}${end}`,
      isVersion4 ? vcard : vcard3,
    );
    // A part of a name may have several values, or a comma: `N:Luz, Sons and Co;;;;`.
    const values = property
      .getValues()
      .flat()
      .map((part) => [part].flat().join(' '));
    const types = [property.getParameter('type')].flat().map((type = '') => type.toLowerCase());
    if (types.includes('fax') && !types.includes('voice')) return undefined;
    const label = types.find((each) => each && !/^(?:pref|voice|internet)$/.test(each));
    return { name: property.name, values, label };
  } catch {
    return undefined;
  }
}

function decodeQuotedPrintable(text: string, charset = 'utf-8'): string {
  const bytes = Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  // A text with characters beyond Latin-1 is not quoted-printable. It is returned unchanged.
  if (/[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
