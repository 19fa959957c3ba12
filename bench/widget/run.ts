/** Measures the widget's size and its first rendering, beside the size that RingCentral Embeddable states. */
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { build, type Rollup } from 'vite';
import { ensureChromium } from '../../testing/browsers/find-browsers.ts';
import { root } from '../../testing/child.ts';
import { servePages } from '../../testing/servers/serve-pages.ts';
import { median } from '../statistics.ts';
import { formatTable } from '../table.ts';

const rounds = 30;
const budget = { gzipped: 24 * 1024, firstPictureMs: 50 };
/** The size of its adapter and frame, as its makers state. */
const ringCentralBytes = 2_000_000;

/** Prints one table; `json`: a file that gets the figures. */
export async function run({ json }: { json?: string }): Promise<void> {
  const code = await bundleWidget();
  const gzipped = gzipSync(code, { level: 9 }).length;
  const firstPictureMs = await firstPicture(code);
  const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
  console.log(`\nwidget: size, and time from script to first picture (median of ${rounds}, Chromium)`);
  console.log(
    formatTable([
      ['', 'KB gzipped', 'first picture ms'],
      ['dialmark-widget', kilobytes(gzipped), firstPictureMs.toFixed(1)],
      ['RingCentral Embeddable, as stated', kilobytes(ringCentralBytes), ''],
    ]),
  );
  const isKept = gzipped <= budget.gzipped && firstPictureMs < budget.firstPictureMs;
  console.log(`budget: <= 24 KB gzipped, first picture < 50 ms: ${isKept ? 'kept' : 'MISSED'}`);
  if (json !== undefined)
    await writeFile(json, JSON.stringify({ gzipped, firstPictureMs, budget, kept: isKept }, null, 2));
}

async function bundleWidget(): Promise<string> {
  const built = await build({ root, mode: 'widget', logLevel: 'error', build: { write: false } });
  return (built as Rollup.RollupOutput[])[0]!.output[0].code;
}

/** Milliseconds from the script's start to its layout, median. */
async function firstPicture(widget: string): Promise<number> {
  const tag = '<dialmark-widget relay="http://127.0.0.1:9" ticket-url="/ticket"></dialmark-widget>';
  const pages = await servePages({
    '/': '<!doctype html><title>bench</title><body></body>',
    '/widget.js': widget,
  });
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const page = await browser.newPage();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.goto(pages.url('/'));
      const time = page.evaluate(async (markup) => {
        document.body.setHTMLUnsafe(markup);
        const source = await (await fetch('/widget.js')).text();
        const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
        const start = performance.now();
        await import(address);
        const { shadowRoot } = document.querySelector('dialmark-widget')!;
        shadowRoot!.querySelector('section')!.getBoundingClientRect();
        return performance.now() - start;
      }, tag);
      times.push(await time);
    }
    return median(times);
  } finally {
    await browser.close();
    pages.close();
  }
}
