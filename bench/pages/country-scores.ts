/**
 * Scores pages for agents of twelve countries (`agents/BR.json` and others) by precision and recall for each country.
 * Most pages have only digits that look like a number. New pages are kept aside: a rule must not be written for them.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/mini';
import { configure, ownPage } from '../../testing/extension/ask-background.ts';
import { servePages } from '../../testing/servers/serve-pages.ts';
import type { Workstation } from '../../testing/workstation.ts';
import { formatTable } from '../table.ts';
import { callableByDialmark } from './hover.ts';

const digits = z.string().check(z.regex(/^\d+$/));
const AgentCase = z.object({
  name: z.string(),
  html: z.string(),
  /** The numbers that can be called, each with its country code. */
  wanted: z.array(digits),
  /** Numbers that do not count, whether they are marked or not: of a fax, an emergency, or half written. */
  either: z._default(z.array(digits), []),
});
const AgentCases = z.object({
  lang: z.string(),
  cases: z.array(AgentCase),
  keptAside: z.array(AgentCase),
});
type AgentCase = z.infer<typeof AgentCase>;

interface AgentScore {
  country: string;
  pages: number;
  numbers: number;
  callable: number;
  isFalse: number;
  precision: number;
  recall: number;
  /** What went wrong, for a person, and on which page. */
  notes: { of: AgentCase; text: string }[];
}

const ownFolder = fileURLToPath(new URL('agents/', import.meta.url));

/**
 * @param which `own`: only the pages that rules may be tried on; `all` of ours; or a folder with files of the
 * same form.
 */
export async function scoreAgents(workstation: Workstation, which: string): Promise<AgentScore[]> {
  const isOwn = which === 'own';
  const folder = isOwn || which === 'all' ? ownFolder : which;
  const scores: AgentScore[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const country = path.basename(file, '.json');
    const { lang, cases, keptAside } = AgentCases.parse(
      JSON.parse(await readFile(path.join(folder, file), 'utf8')),
    );
    const page = await ownPage(workstation);
    await configure(page, workstation, (settings) => Object.assign(settings.numbers, { country }));
    const all = isOwn ? cases : [...cases, ...keptAside];
    const pages = await servePages(
      Object.fromEntries(all.map(({ html }, index) => [`/${index}`, pageOf(html, lang)])),
    );
    process.stderr.write(`bench pages: agents of ${country}, ${all.length} pages\n`);
    try {
      const scored = score(country, all, await callableByDialmark(workstation, pages, all.length));
      // Errors on pages that are kept aside are not printed, so that rules are not written for them.
      const aside = new Set(keptAside);
      scores.push({ ...scored, notes: scored.notes.filter(({ of }) => !aside.has(of)) });
    } finally {
      pages.close();
    }
  }
  return scores;
}

export const pageOf = (html: string, lang: string): string =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><link rel="icon" href="data:,"><title>case</title>
  <body style="font:16px sans-serif">${html}</body></html>`;

function score(
  country: string,
  cases: readonly AgentCase[],
  found: readonly (readonly string[])[],
): AgentScore {
  let [numbers, callable, isFalse] = [0, 0, 0];
  const notes: AgentScore['notes'] = [];
  for (const [index, of] of cases.entries()) {
    const { name, wanted, either } = of;
    const missing = wanted.filter((each) => !found[index]!.includes(each));
    const wrong = found[index]!.filter((each) => ![...wanted, ...either].includes(each));
    numbers += wanted.length;
    callable += wanted.length - missing.length;
    isFalse += wrong.length;
    if (missing.length > 0)
      notes.push({ of, text: `${country}, ${name}: not callable ${missing.join(', ')}` });
    if (wrong.length > 0) notes.push({ of, text: `${country}, ${name}: false ${wrong.join(', ')}` });
  }
  const precision = callable / (callable + isFalse || 1);
  return {
    country,
    pages: cases.length,
    numbers,
    callable,
    isFalse,
    precision,
    recall: callable / (numbers || 1),
    notes,
  };
}

export function formatAgents(scores: readonly AgentScore[]): string {
  const share = (value: number) => `${(value * 100).toFixed(1)} %`;
  return formatTable([
    ['agents of', 'pages', 'numbers', 'callable', 'false', 'precision', 'recall'],
    ...scores.map(({ country, pages, numbers, callable, isFalse, precision, recall }) => [
      country,
      String(pages),
      String(numbers),
      String(callable),
      String(isFalse),
      share(precision),
      share(recall),
    ]),
  ]);
}
