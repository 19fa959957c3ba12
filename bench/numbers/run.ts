/** `npm run bench -- numbers`: does it find the right numbers, how fast, and how small is it, beside libphonenumber-js. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type NamedCorpus, readCorpora } from './corpus.ts';
import { type Finder, libphonenumberPossible, libphonenumberValid, ours } from './finders.ts';
import { type Score, score } from './score.ts';
import { bundledSize } from './size.ts';
import { measureHostile, measureThroughput } from './throughput.ts';

const finders: readonly (readonly [string, Finder])[] = [
  ['Dialmark', ours],
  ['libphonenumber-js VALID', libphonenumberValid],
  ['libphonenumber-js POSSIBLE', libphonenumberPossible],
];

/** Columns are padded to their widest cell; the first is flush left, figures flush right. */
function print(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  console.log(`\n${title}\n`);
  console.log(line(header));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
}

function scoreCells({ precision, recall, expected, negatives, negativesHit }: Score): string[] {
  const share = (value: number) => `${(value * 100).toFixed(1)} %`;
  return [
    expected ? share(precision) : '–',
    expected ? share(recall) : '–',
    negatives ? `${negativesHit} of ${negatives}` : '–',
  ];
}

function scoreAll(corpora: readonly NamedCorpus[]) {
  const all: NamedCorpus = { name: 'all of them', samples: corpora.flatMap(({ samples }) => samples) };
  return [...corpora, all].map(({ name, samples }) => ({
    name,
    texts: samples.length,
    scores: finders.map(([finder, find]) => ({ finder, ...score(find, samples) })),
  }));
}

/**
 * Prints detection, speed and size.
 * @param args `corpus`: the folder to score instead of `bench/corpora`; `json`: a file to write the figures to.
 * @throws an Error that names a corpus that cannot be read.
 */
export async function run(args: { corpus?: string; json?: string }): Promise<void> {
  const folder = args.corpus ?? fileURLToPath(new URL('../corpora/', import.meta.url));
  const corpora = await readCorpora(folder);
  // Speed first, before other texts have told the engine what to expect.
  const throughput = measureThroughput();
  const hostile = measureHostile();
  const detection = scoreAll(corpora);
  print(
    [
      `Which numbers are found, in ${args.corpus ?? 'bench/corpora'} (exact spans).`,
      'precision: share of what was found that is a number. recall: share of the numbers that was found.',
      'negatives hit: texts without a number in which something was found.',
    ].join('\n'),
    ['corpus', 'texts', ...finders.flatMap(([name]) => [`${name}: precision`, 'recall', 'negatives hit'])],
    detection.map(({ name, texts, scores }) => [name, String(texts), ...scores.flatMap(scoreCells)]),
  );

  const figure = (value: number) => value.toFixed(1);
  print(
    [
      'How fast, in MB per second of processor time (1 MB = 1,048,576 UTF-16 units; best of several turns in this run).',
      'Both run in the background of the extension, never in the page. libphonenumber-js reads an eighth of the text.',
    ].join('\n'),
    ['text', 'scan alone', 'scan + judge', 'libphonenumber-js VALID', 'scan + judge : libphonenumber-js'],
    throughput.map(({ text, scan, scanAndJudge, peer }) => [
      text,
      figure(scan),
      figure(scanAndJudge),
      figure(peer),
      `${(scanAndJudge / peer).toFixed(1)} x`,
    ]),
  );

  print(
    'Hostile texts of 1 MB: milliseconds of processor time for scan + judge (must stay below 50). libphonenumber-js gets 4 KB of the same.',
    ['text', 'Dialmark, 1 MB', 'libphonenumber-js, 4 KB', 'the same, a MB'],
    hostile.map(({ text, ours, peer, peerUnits }) => [
      text,
      `${figure(ours)} ms`,
      `${figure(peer)} ms`,
      `at least ${figure(peer * (1048576 / peerUnits))} ms`,
    ]),
  );

  const size = await bundledSize(new URL('../../shared/numbers/find/scan.ts', import.meta.url));
  const peerSize = await bundledSize(new URL('./peer-entry.ts', import.meta.url));
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
  print(
    'Size of what finds the candidates, bundled and minified.',
    ['code', 'minified', 'gzipped'],
    [
      ['Dialmark scan', kilobytes(size.minified), kilobytes(size.gzipped)],
      ['libphonenumber-js findPhoneNumbersInText', kilobytes(peerSize.minified), kilobytes(peerSize.gzipped)],
    ],
  );
  console.log();

  if (args.json === undefined) return;
  const withoutTexts = detection.map(({ scores, ...rest }) => ({
    ...rest,
    scores: scores.map(({ differences, ...figures }) => figures),
  }));
  await writeFile(
    args.json,
    `${JSON.stringify({ detection: withoutTexts, throughput, hostile, size, peerSize }, null, 2)}\n`,
  );
}
