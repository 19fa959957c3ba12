/** Tables of text: exports of address books, CRMs and telephone systems. Columns are found by their headings. */
import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { plainWords } from '../../../shared/plain-words.ts';
import { cellText } from '../../cell-text.ts';
import { isAreaCodeHead, isCountryCodeHead, readAreaCode, readCallingCode } from '../../code-columns.ts';
import { isWorkbook, readNamedDelimiter, withoutQuoted, workbookProblem } from '../../start-of-table.ts';
import type { WrittenPerson } from '../person.ts';
import { inBatches, maskNumbersIn, type PulledEntry, type Source, SourceError } from './source.ts';
import { readText } from './text-file.ts';

/** A quote without its end would take the rest of the file for one cell. */
const maxRowLength = 100_000;
/** The parser does not count delimiters. A line of them alone would take the memory and stop the relay. */
const maxLineLength = 250_000;

type Column =
  | 'record'
  | 'name'
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'organisation'
  | 'role'
  | 'number'
  /** The country code of the numbers in the columns behind it. */
  | 'countryCode'
  /** The area code of local numbers in the columns behind it, or a whole number: `ddd_telefone_1`. */
  | 'areaCode'
  /** The number of a telephone, or of a house, an order, a customer. */
  | 'perhapsNumber';

/** Headings in English, Portuguese and Spanish, without accents and in lower case. The first that matches decides. */
const headings: readonly (readonly [Column | undefined, RegExp])[] = [
  [undefined, /\b(?:fax|type|label|tipo|phonetic|yomi|password|e[- ]?mail)\b|\bids?$/],
  // The colleague who looks after a record of a CRM.
  [
    undefined,
    /\b(?:contact|account|lead|record) owner\b|\bpropr?ietario d[aeo]l? (?:cont|cuenta|lead|registro)/,
  ],
  ['record', /\b(?:record|registro|link|url)\b/],
  [
    'number',
    /\b(?:phones?|telephones?|tels?|telefon[eo]?s?|fones?|mobiles?|cell|cellphones?|celular(?:es)?|movil(?:es)?|telemove(?:l|is)|extension|ramal|interno|anexo|whats ?app)\b/,
  ],
  [
    'number',
    /\b(?:contact|home|work|office|business|direct|main) number\b|\bnumero d[eo] (?:contat|contact|trabalho|trabajo)/,
  ],
  ['perhapsNumber', /\b(?:numero|number)\b/],
  ['role', /\b(?:job|role|title|position|department|cargo|funcao|funcion|puesto|setor|departamento)\b/],
  ['organisation', /\b(?:company|organi[sz]ation|account|empresa|organizacao|organizacion|firma|cliente)\b/],
  ['middleName', /\b(?:middle|additional) name\b|segundo nombre|nome do meio/],
  ['firstName', /\b(?:first|given) name\b|^(?:firstname|primeiro nome|primer nombre)$/],
  ['lastName', /\b(?:last|family|sur) ?name\b|^(?:lastname|surname)$|\b(?:sobrenome|apelidos?|apellidos?)\b/],
  ['name', /\b(?:name|nome|nombre|contact|contato|contacto|fn)\b/],
];

const telephone = /phone|\bfone|\btel|mobile|\bcell?|celular|movil|movel|whats ?app/;
const address = /\b(?:(?<!mail )address|street|endereco|rua|logradouro|direccion|calle|domicilio)\b/;
/** A heading that does not say what the number belongs to. */
const bareNumber = /^(?:numero|number)(?: \d+)?$/;

/**
 * Headings of a whole name. Other headings with "name" may mean another person, or a part: "Manager's Name", "Name
 * Prefix".
 */
const ownName =
  /^(?:(?:display |contact |customer |client |lead )?name|nome|nombre|fn)$|\b(?:full|complete|completo)\b/;

/** `link`: the cell of the column that holds the addresses of records. */
type WrittenRow = Extract<PulledEntry, { written: WrittenPerson }> & { link?: string | undefined };

interface Heading {
  column: Column;
  title: string;
  words: string;
}

/** @param file path of the file; the first row has the headings. */
export function csvSource(file: string): Source {
  return {
    file,
    async *pull() {
      yield* inBatches(readRows(readText(file)));
      return { isComplete: true };
    },
    async check() {
      let rows = 0;
      for await (const _ of readRows(readText(file))) rows++;
      return `${rows} rows`;
    },
  };
}

/**
 * @throws SourceError if the headings do not name a number, or a needed person or organisation. Also if a quote does
 * not end, or a row is too long.
 */
export async function* readRows(
  text: AsyncIterable<string> | Iterable<string>,
  { mayLackName = false } = {},
): AsyncGenerator<WrittenRow, void> {
  const chunks = Readable.from(text).iterator();
  const { value: begin = '' } = (await chunks.next()) as IteratorResult<string, undefined>;
  if (isWorkbook(begin)) throw new SourceError(workbookProblem);
  const named = readNamedDelimiter(begin);
  const first = begin.slice(named?.line.length);
  const rows = parse({
    bom: true,
    delimiter: named?.delimiter ?? delimiterOf(first),
    // By default csv-parse uses the first line end for all rows. Rows with another line end would then be joined.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_error: true,
    skip_empty_lines: true,
    max_record_size: maxRowLength,
  });
  let problem: string | undefined;
  rows.on('skip', ({ code, records }) => {
    const row = Number(records) + 1;
    if (code === 'CSV_QUOTE_NOT_CLOSED') problem ??= `a quote in row ${row} has no end`;
    else if (code === 'CSV_MAX_RECORD_SIZE')
      problem ??= `row ${row} has more than ${maxRowLength} characters, perhaps by a quote without an end`;
  });
  async function* whole() {
    yield first;
    yield* chunks;
  }
  // The loop below gets the error. If the loop stops early, the pipeline ends the text.
  pipeline(Readable.from(limitLines(whole())), rows, () => {});
  let columns: (Heading | undefined)[] | undefined;
  for await (const row of rows as AsyncIterable<string[]>) {
    if (!columns) columns = columnsOf(row, mayLackName);
    else {
      const written = personOf(row, columns);
      const link = row[columns.findIndex((heading) => heading?.column === 'record')]?.trim() || undefined;
      yield { uid: hash('sha256', JSON.stringify(written), 'base64url'), written, link };
    }
  }
  // The rows behind it cannot be read. Their people must not count as gone, so the sync fails.
  if (problem !== undefined) throw new SourceError(`${problem}; the rows behind it cannot be read`);
}

/**
 * Counts what follows the last line end of each chunk. So chunks must be short, as a file's are.
 * @throws SourceError where a line is too long.
 */
async function* limitLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let length = 0;
  for await (const chunk of chunks) {
    const end = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
    length = end < 0 ? length + chunk.length : chunk.length - end - 1;
    if (length > maxLineLength)
      throw new SourceError(
        `a line has more than ${maxLineLength} characters; nothing behind it can be read`,
      );
    yield chunk;
  }
}

/**
 * The delimiter that the first row has most often outside quotes. `delimiter_auto` of csv-parse 7.0.3 fails on quotes,
 * and splits at letters.
 */
function delimiterOf(text: string): string {
  const [row = ''] = text
    .replace(/^[\r\n]+/, '')
    .split(/[\r\n]/, 1)
    .map(withoutQuoted);
  const count = (delimiter: string) => row.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function columnsOf(row: readonly string[], mayLackName: boolean): (Heading | undefined)[] {
  const titles = row.map((title) =>
    plainWords(title.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
      .replace(/[^\p{L}\p{N}-]+|(?<=\p{L})(?=\p{N})/gu, ' ')
      .trim(),
  );
  // "Number" is a house number if there is a column for an address. "Customer number" counts only without a telephone
  // column.
  const hasAddress = titles.some((each) => address.test(each));
  const hasTelephone = titles.some((each) => telephone.test(each));
  const isTelephone = (words: string) => !(bareNumber.test(words) ? hasAddress : hasTelephone);
  // In contacts of Outlook, "Title" beside "Job Title" is a form of address, such as Dr.
  const hasJobTitle = titles.includes('job title');
  const isFormOfAddress = (words: string) => words === 'title' && hasJobTitle;
  const columns = titles.map((words, at): Heading | undefined => {
    if (isFormOfAddress(words)) return undefined;
    const found = columnHeaded(words);
    const column = found === 'perhapsNumber' ? (isTelephone(words) ? 'number' : undefined) : found;
    return column && { column, title: row[at]!.trim(), words };
  });
  const has = (...wanted: Column[]) => columns.some((each) => each && wanted.includes(each.column));
  const hasNumber = columns.some(
    (each) => each?.column === 'number' || (each?.column === 'areaCode' && telephone.test(each.words)),
  );
  if (hasNumber && (mayLackName || has('name', 'firstName', 'lastName', 'organisation'))) return columns;
  const found = row
    .slice(0, 10)
    .join(', ')
    .slice(0, 200)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  throw new SourceError(
    `expected a first row with headings such as Name, Company and Phone; it has: ${maskNumbersIn(found) || 'nothing'}`,
  );
}

function columnHeaded(words: string): Column | undefined {
  if (isCountryCodeHead(words)) return 'countryCode';
  if (isAreaCodeHead(words)) return 'areaCode';
  return headings.find(([, pattern]) => pattern.test(words))?.[0];
}

function personOf(row: readonly string[], columns: readonly (Heading | undefined)[]): WrittenPerson {
  const cells = (column: Column) =>
    columns.flatMap((heading, at) => (heading?.column === column && row[at]?.trim() ? [row[at]] : []));
  return {
    name: writtenName(row, columns),
    organisation: cells('organisation')[0],
    role: cells('role')[0],
    numbers: numbersOfRow(row, columns),
  };
}

function numbersOfRow(
  row: readonly string[],
  columns: readonly (Heading | undefined)[],
): WrittenPerson['numbers'] {
  let areaCode: string | undefined;
  let country: ReturnType<typeof readCallingCode>;
  return columns.flatMap((heading, at) => {
    const text = row[at]?.trim() ?? '';
    if (heading?.column === 'countryCode') country = readCallingCode(text);
    if (heading?.column === 'areaCode') areaCode = readAreaCode(text);
    const isNumber = heading?.column === 'number' || (heading?.column === 'areaCode' && !areaCode);
    // The row's country code is not known. So only a number with a plus can be read.
    if (!isNumber || !text || (country === null && !text.startsWith('+'))) return [];
    return [{ text: cellText(text), label: heading.title, areaCode, country: country ?? undefined }];
  });
}

/** The whole name, if a column has it. Otherwise its parts. Otherwise the first filled column of kind `name`. */
function writtenName(row: readonly string[], columns: readonly (Heading | undefined)[]): string | undefined {
  const cells = (...wanted: Column[]) =>
    columns.flatMap((heading, at) => {
      const text = row[at]?.trim();
      return heading && text && wanted.includes(heading.column) ? [{ text, heading }] : [];
    });
  const names = cells('name');
  const own = names.find(({ heading }) => ownName.test(heading.words));
  const parts = [cells('firstName'), cells('middleName'), cells('lastName')].flat().map(({ text }) => text);
  // "Nome" or "Nombre" beside a column of last names is the first name.
  const isFirst =
    own && !own.heading.words.includes(' ') && !columns.some((heading) => heading?.column === 'firstName');
  if (own && isFirst) return [own.text, ...parts.filter((part) => !own.text.includes(part))].join(' ');
  return own?.text ?? (parts.join(' ') || names[0]?.text);
}
