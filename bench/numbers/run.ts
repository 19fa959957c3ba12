/** Measures detection, speed and size of the scanner beside libphonenumber-js. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleScript } from '../../testing/bundle-script.ts';
import { formatTable } from '../table.ts';
import { type NamedCorpus, readCorpora } from './corpus.ts';
import { explain } from './explain.ts';
import { type Finder, libphonenumberPossible, libphonenumberValid, ours } from './finders.ts';
import { type Score, score } from './score.ts';
import { measureHostile, measureThroughput } from './throughput.ts';
import { countUnasked } from './unasked.ts';

const finders: readonly (readonly [string, Finder])[] = [
  ['Dialmark', ours],
  ['libphonenumber-js VALID', libphonenumberValid],
  ['libphonenumber-js POSSIBLE', libphonenumberPossible],
];

function print(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`\n${title}\n\n${formatTable([header, ...rows])}`);
}

function scoreCells({ precision, recall, expected, negatives, negativesHit }: Score): string[] {
  const share = (value: number) => `${(value * 100).toFixed(1)} %`;
  return [
    expected ? share(precision) : '–',
    expected ? share(recall) : '–',
    negatives ? `${negativesHit} of ${negatives}` : '–',
  ];
}

/** The size of a module bundled with its imports. */
async function bundledSize(module: string) {
  const code = await bundleScript(fileURLToPath(new URL(module, import.meta.url)));
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
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
 * @param args `corpus`: the folder to score instead of `bench/corpora`; `explain`: a text, of which only
 *   the evidence is printed; `json`: a file to write the figures to.
 * @throws an Error that names a corpus that cannot be read.
 */
export async function run(args: { corpus?: string; explain?: string; json?: string }): Promise<void> {
  if (args.explain !== undefined) return console.log(explain(args.explain));
  const corpora = await readCorpora(args.corpus ?? fileURLToPath(new URL('../corpora/', import.meta.url)));
  // Speed first, before other texts influence the engine's optimizations.
  const throughput = measureThroughput();
  const hostile = measureHostile();
  const detection = scoreAll(corpora);
  const unasked = corpora.map(({ name, samples }) => ({ name, ...countUnasked(samples) }));
  printDetection(args.corpus ?? 'bench/corpora', detection);
  printUnasked(unasked);
  printSpeed(throughput, hostile);
  const size = await bundledSize('../../shared/numbers/text/scan.ts');
  const peerSize = await bundledSize('./peer-entry.ts');
  printSizes(size, peerSize);
  if (args.json === undefined) return;
  const withoutTexts = detection.map(({ scores, ...rest }) => ({
    ...rest,
    scores: scores.map(({ differences, ...figures }) => figures),
  }));
  await writeFile(
    args.json,
    `${JSON.stringify({ detection: withoutTexts, unasked, throughput, hostile, size, peerSize }, null, 2)}\n`,
  );
}

function printDetection(folder: string, detection: ReturnType<typeof scoreAll>): void {
  print(
    [
      `Detection in ${folder} (exact spans).`,
      'precision: share of the found spans that are numbers. recall: share of the numbers that were found.',
      'negatives hit: texts without a number in which a span was found.',
    ].join('\n'),
    ['corpus', 'texts', ...finders.flatMap(([name]) => [`${name}: precision`, 'recall', 'negatives hit'])],
    detection.map(({ name, texts, scores }) => [name, String(texts), ...scores.flatMap(scoreCells)]),
  );
}

function printUnasked(unasked: readonly (ReturnType<typeof countUnasked> & { name: string })[]): void {
  print(
    'Numbers of the own country that are dialled unasked, those written without a country code (wanted: ' +
      '99 % in ordinary writing).',
    ['corpus', 'own numbers', 'dialled unasked', 'asked about'],
    unasked
      .filter(({ own }) => own > 0)
      .map(({ name, own, unasked, asked }) => [
        name,
        String(own),
        `${((unasked / own) * 100).toFixed(1)} %`,
        asked.join('; '),
      ]),
  );
}

function printSpeed(
  throughput: ReturnType<typeof measureThroughput>,
  hostile: ReturnType<typeof measureHostile>,
): void {
  const figure = (value: number) => value.toFixed(1);
  print(
    [
      'Throughput in MB per second of CPU time (1 MB = 1,048,576 UTF-16 units; best of several rounds).',
      'Both run in the background of the extension, never in the page. libphonenumber-js gets an eighth of the text.',
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
    'Hostile texts of 1 MB: milliseconds of CPU time for scan + judge (budget: 50). ' +
      'libphonenumber-js gets 4 KB of the same.',
    ['text', 'Dialmark, 1 MB', 'libphonenumber-js, 4 KB', 'the same per MB'],
    hostile.map(({ text, ours, peer, peerUnits }) => [
      text,
      `${figure(ours)} ms`,
      `${figure(peer)} ms`,
      `at least ${figure(peer * (1048576 / peerUnits))} ms`,
    ]),
  );
}

type BundledSize = Awaited<ReturnType<typeof bundledSize>>;

function printSizes(size: BundledSize, peerSize: BundledSize): void {
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
  print(
    'Size of the code that finds candidates, bundled and minified.',
    ['code', 'minified', 'gzipped'],
    [
      ['Dialmark scan', kilobytes(size.minified), kilobytes(size.gzipped)],
      ['libphonenumber-js findPhoneNumbersInText', kilobytes(peerSize.minified), kilobytes(peerSize.gzipped)],
    ],
  );
  console.log();
}
