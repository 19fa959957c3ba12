/**
 * Measures how long a warm tip waits for a name. The pointer moves over numbers of people in the relay's directory.
 * The time starts when the bench sees our tip in the page, and ends when it sees the name there. So it includes two
 * readings by the bench.
 */
import type { Tab } from '../../testing/browsers/browser.ts';
import { partOf } from '../../testing/extension/marked-numbers.ts';
import { html, servePages } from '../../testing/servers/serve-pages.ts';
import { until } from '../../testing/until.ts';
import { openWorkstation } from '../../testing/workstation.ts';
import { formatTimes } from '../table.ts';

const people = 43;
const warmUps = 3;
const budgetMs = 60;
const waitMs = 10_000;

const numberOf = (n: number) => `(11) 3350-${4100 + n}`;

/** @returns milliseconds from each tip to its name. */
export async function timeNames(): Promise<number[]> {
  const all = Array.from({ length: people }, (_, n) => n);
  const rows = all.map((n) => `Person ${n},,${numberOf(n)}`);
  const directory = `Name,Company,Phone\n${rows.join('\n')}\n`;
  const workstation = await openWorkstation('chromium', { directory });
  const pages = await servePages({ '/': html(all.map((n) => `<p>Tel. ${numberOf(n)}</p>`).join('')) });
  try {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
    const tab = await workstation.openTab(pages.url('/'));
    await tab.activate();
    await until(() => tab.evaluate<number>('CSS.highlights.size'), 'the marks');
    const times: number[] = [];
    for (const n of all) times.push(await timeName(tab, n));
    return times.slice(warmUps);
  } finally {
    pages.close();
    await workstation.close();
  }
}

async function timeName(tab: Tab, n: number): Promise<number> {
  await tab.evaluate(`document.querySelectorAll('p')[${n}].scrollIntoView({ block: 'center' })`);
  const at = await tab.pointOfText(numberOf(n));
  await tab.moveTo({ x: at.x + 500, y: at.y });
  await until(async () => !(await partOf(tab, 'tip')), 'the last tip to go');
  await tab.moveTo({ x: at.x + 1, y: at.y });
  await tab.moveTo(at);
  const from = performance.now();
  let seenAt: number | undefined;
  while (performance.now() - from < waitMs) {
    const parts = await tab.overlay();
    const now = performance.now();
    if (parts.some(({ attributes }) => attributes.class === 'tip')) seenAt ??= now;
    if (parts.some(({ text }) => text === `Person ${n}`)) return now - seenAt!;
  }
  throw new Error(`no name beside ${numberOf(n)} within ${waitMs} ms`);
}

export const formatNameTable = (times: readonly number[]): string => `
From a warm tip to the name in it: wall-clock ms, ${times.length} numbers
${formatTimes([['through the relay', times]], { ms: budgetMs, share: 0.9 })}`;
