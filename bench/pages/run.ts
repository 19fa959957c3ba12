/**
 * Measures which numbers of a page a person can call. Each case is opened in real Chromium with the built extension.
 * The pointer moves over every figure, and our tip is compared with what the case wants. ringcentral-c2d gets the same
 * pages and the same pointer in a tab without the extension.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/mini';
import { bundleScript } from '../../testing/bundle-script.ts';
import { type ServedPages, servePages } from '../../testing/servers/serve-pages.ts';
import { openWorkstation } from '../../testing/workstation.ts';
import { formatTable } from '../table.ts';
import { formatAgents, pageOf, scoreAgents } from './country-scores.ts';
import { callableByDialmark, callableByPeer } from './hover.ts';

const Cases = z.array(
  z.object({
    name: z.string(),
    /** The kind of markup; figures are given by kind. */
    kind: z.string(),
    /** The page's body. */
    html: z.string(),
    /** The page's language, where it is not Brazilian Portuguese. */
    lang: z.optional(z.string()),
    /** Every number that can be called, as its digits are written. */
    wanted: z.array(z.string().check(z.regex(/^\d+$/))),
  }),
);
type Case = z.infer<typeof Cases>[number];

interface Score {
  wanted: number;
  callable: number;
  isFalse: number;
  /** What went wrong, for a person. */
  notes: string[];
}

/** The calling codes that the cases write. */
const callingCode = /^(?:55|54|52|49|44|39|34|33|91|1)(?=\d{8,}$)/;

const folder = fileURLToPath(new URL('.', import.meta.url));

interface PagesOptions {
  cases?: string;
  agents?: string;
  json?: string;
}

/**
 * Prints a table per file of cases and one by the agents' country, or that of one file alone.
 * @param options `cases`: the file; `agents`: `own` for the pages by country that rules may be tried on, `all` for all
 * of them, or a folder of other ones, and nothing else; `json`: a file that gets every figure.
 */
export async function run({ cases, agents, json }: PagesOptions): Promise<void> {
  const files = cases
    ? [cases]
    : agents
      ? []
      : (await readdir(folder))
          .filter((name) => /^cases-.*\.json$/.test(name))
          .map((name) => path.join(folder, name));
  const workstation = await openWorkstation('chromium');
  const results: Record<string, unknown> = {};
  try {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
    const peerScript = await bundleScript(path.join(folder, 'ringcentral.ts'));
    for (const file of files) {
      const ofFile = Cases.parse(JSON.parse(await readFile(file, 'utf8')));
      const pages = await serveCases(ofFile, peerScript);
      process.stderr.write(`bench pages: ${path.basename(file)}, ${ofFile.length} cases\n`);
      try {
        const ours = await callableByDialmark(workstation, pages, ofFile.length);
        const peers = await callableByPeer(workstation.browser, pages, ofFile.length);
        const scores = { dialmark: score(ofFile, ours), 'ringcentral-c2d': score(ofFile, peers) };
        console.log(`\n${path.basename(file)}\n${format(scores)}`);
        for (const note of scores.dialmark.all!.notes) console.log(`  ${note}`);
        results[path.basename(file)] = scores;
      } finally {
        pages.close();
      }
    }
    if (cases === undefined) {
      const byCountry = await scoreAgents(workstation, agents ?? 'all');
      console.log(`\nagents of twelve countries\n${formatAgents(byCountry)}`);
      for (const { text } of byCountry.flatMap(({ notes }) => notes)) console.log(`  ${text}`);
      results.agents = byCountry;
    }
    if (json !== undefined) await writeFile(json, JSON.stringify({ pages: results }, null, 2));
  } finally {
    await workstation.close();
  }
}

function serveCases(cases: readonly Case[], peerScript: string): Promise<ServedPages> {
  return servePages({
    '/peer.js': peerScript,
    ...Object.fromEntries(cases.map(({ html, lang = 'pt-BR' }, index) => [`/${index}`, pageOf(html, lang)])),
  });
}

/** Scores by kind, and of `all`. `found`: for each case the digits of what could be called. */
function score(cases: readonly Case[], found: readonly (readonly string[])[]): Record<string, Score> {
  const scores: Record<string, Score> = {};
  for (const [index, { name, kind, wanted }] of cases.entries()) {
    const missing = wanted.filter((digits) => !found[index]!.some((each) => isSameNumber(each, digits)));
    const wrong = found[index]!.filter((digits) => !wanted.some((each) => isSameNumber(each, digits)));
    for (const key of [kind, 'all']) {
      scores[key] ??= { wanted: 0, callable: 0, isFalse: 0, notes: [] };
      const total = scores[key];
      total.wanted += wanted.length;
      total.callable += wanted.length - missing.length;
      total.isFalse += wrong.length;
      if (missing.length > 0) total.notes.push(`${kind}, ${name}: not callable ${missing.join(', ')}`);
      if (wrong.length > 0) total.notes.push(`${kind}, ${name}: false ${wrong.join(', ')}`);
    }
  }
  const { all, ...kinds } = scores;
  return { ...kinds, all: all! };
}

function format(scores: Record<string, Record<string, Score>>): string {
  const [first] = Object.values(scores);
  return formatTable([
    ['kind of markup', 'numbers', ...Object.keys(scores).flatMap((name) => [name, 'false'])],
    ...Object.keys(first!).map((kind) => [
      kind,
      String(first![kind]!.wanted),
      ...Object.values(scores).flatMap((of) => [String(of[kind]!.callable), String(of[kind]!.isFalse)]),
    ]),
  ]);
}

/** True where both are the same number, with or without trunk zeros and calling code. */
function isSameNumber(one: string, other: string): boolean {
  const all = new Set(readings(one));
  return readings(other).some((reading) => all.has(reading));
}

function readings(digits: string): string[] {
  const bare = digits.replace(/^0{1,2}/, '');
  const withoutCode = digits.length > 11 || digits.startsWith('00') ? bare.replace(callingCode, '') : bare;
  return [digits, bare, withoutCode, withoutCode.replace(/^0/, '')];
}
