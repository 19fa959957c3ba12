/** How the content script's own time grows with the page: twice the work may take 2.2 times the time, and no task over 50 ms. */
import type { ServedPages } from '../../testing/servers/serve-pages.ts';
import { formatTable } from '../table.ts';
import type { ContenderBrowser } from './measure.ts';
import type { Usage } from './trace.ts';

const largest = 200_000;
const maxRatio = 2.2;
const maxTaskMs = 50;

/** Pages of so many things of one kind. Frames are dear to the browser itself: one for each thousand. */
const pagesOf: Record<string, (count: number) => string> = {
  'text nodes of one block': (count) => `<pre>${'<i>12:00:01 stored</i> 42\n'.repeat(count / 2)}</pre>`,
  'words of one text node': (count) => `<pre>${'12:00:01 order 4711 stored\n'.repeat(count / 4)}</pre>`,
  'numbers of one block': (count) =>
    `<pre>${Array.from({ length: count / 10 }, (_, id) => `tel. (11) 9${10_000_000 + id} <i>stored</i>\n`).join('')}</pre>`,
  blocks: (count) => '<p>entry 42</p>'.repeat(count),
  'inline elements': (count) => '<p><b>entry</b> <i>42</i></p>'.repeat(count / 2),
  'shadow roots': (count) =>
    '<div><template shadowrootmode="open"><p>42</p></template></div>'.repeat(count / 10),
  frames: (count) => '<iframe srcdoc="<p>tel. (11) 98765-4321</p>"></iframe>'.repeat(count / 1_000),
};

type Marking = Usage & { keptBytes: number };
export interface Growth {
  of: string;
  /** On the page of half the size, and on the whole. */
  half: Marking;
  whole: Marking;
  pageBytes: number;
}

const urlOf = (index: number, count: number) => `/growth/${index}/${count}`;

export const growthPages = (): Record<string, string> =>
  Object.fromEntries(
    Object.values(pagesOf).flatMap((page, index) =>
      [largest / 2, largest].map((count) => [
        urlOf(index, count),
        `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><body>${page(count)}`,
      ]),
    ),
  );

export async function measureGrowth(browser: ContenderBrowser, pages: ServedPages): Promise<Growth[]> {
  const results: Growth[] = [];
  for (const [index, of] of Object.keys(pagesOf).entries()) {
    process.stderr.write(`bench page: growth of ${of}\n`);
    const measure = (count: number) => browser.measureMarking(pages.url(urlOf(index, count)));
    const half = await measure(largest / 2);
    const pageBytes = Buffer.byteLength(pagesOf[of]!(largest));
    results.push({ of, half, whole: await measure(largest), pageBytes });
  }
  return results;
}

export function formatGrowthTable(results: readonly Growth[]): string {
  const rows = results.map(({ of, half, whole, pageBytes }) => {
    const ratio = whole.own / half.own;
    const isKept = ratio <= maxRatio && whole.longestOwn <= maxTaskMs;
    const figures = [half.own, whole.own, ratio, whole.longestOwn].map((figure) => figure.toFixed(1));
    const kept = [whole.keptBytes, pageBytes].map((bytes) => (bytes / 1e6).toFixed(1));
    return [of, ...figures, isKept ? 'kept' : 'MISSED', ...kept];
  });
  const heads = [
    '',
    'half',
    'whole',
    'ratio',
    'longest task',
    `<= ${maxRatio}x, <= ${maxTaskMs} ms`,
    'MB kept',
    'MB of the page',
  ];
  return `
Its own script on pages twice as large, ms; up to ${largest.toLocaleString('en')} things
${formatTable([heads, ...rows])}`;
}
