/**
 * The widget's size and time to its first rendering, beside two peers: the same widget in a frame, and
 * Aircall Everywhere, a maintained phone widget from npm, whose script only loads a frame. RingCentral
 * Embeddable, not on npm, is listed by its stated size.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { build, type Rollup } from 'vite';
import { ensureChromium } from '../../testing/browsers/find-browsers.ts';
import { bundleScript } from '../../testing/bundle-script.ts';
import { root } from '../../testing/child.ts';
import { servePages } from '../../testing/servers/serve-pages.ts';
import { median } from '../statistics.ts';
import { formatTable } from '../table.ts';

const rounds = 30;
const budget = { gzipped: 24 * 1024, firstPictureMs: 50 };

interface Figure {
  what: string;
  bytes?: number;
  gzipped: number;
  /** From script start to layout, median. */
  firstPictureMs?: number;
  note: string;
}

/** Prints one table; `json`: a file that gets every figure. */
export async function run({ json }: { json?: string }): Promise<void> {
  const [ours, aircall] = await Promise.all([
    bundleWidget(),
    bundleScript(fileURLToPath(import.meta.resolve('aircall-everywhere'))),
  ]);
  const [direct, framed] = await firstPictures(ours);
  const sizeOf = (code: string) => ({
    bytes: Buffer.byteLength(code),
    gzipped: gzipSync(code, { level: 9 }).length,
  });
  const figures: Figure[] = [
    { what: 'dialmark-widget', ...sizeOf(ours), firstPictureMs: direct!, note: 'everything in' },
    {
      what: 'the same in a frame',
      ...sizeOf(ours),
      firstPictureMs: framed!,
      note: 'its document and script already cached',
    },
    {
      what: 'aircall-everywhere 2.0.6',
      ...sizeOf(aircall),
      note: 'loader alone; its frame comes from the network',
    },
    { what: 'RingCentral Embeddable', gzipped: 2_000_000, note: 'stated: adapter and its frame, about 2 MB' },
  ];
  console.log(`\nwidget: size, and time from script to first picture (median of ${rounds}, Chromium)`);
  console.log(
    formatTable([
      ['', 'KB gzipped', 'KB', 'first picture ms', 'note'],
      ...figures.map(({ what, bytes, gzipped, firstPictureMs, note }) => [
        what,
        (gzipped / 1024).toFixed(1),
        bytes === undefined ? '' : (bytes / 1024).toFixed(1),
        firstPictureMs?.toFixed(1) ?? '',
        note,
      ]),
    ]),
  );
  const kept = figures[0]!.gzipped <= budget.gzipped && direct! < budget.firstPictureMs;
  console.log(`budget: <= 24 KB gzipped, first picture < 50 ms: ${kept ? 'kept' : 'MISSED'}`);
  if (json !== undefined) await writeFile(json, JSON.stringify({ widget: figures, budget, kept }, null, 2));
}

async function bundleWidget(): Promise<string> {
  const built = await build({ root, mode: 'widget', logLevel: 'error', build: { write: false } });
  return (built as Rollup.RollupOutput[])[0]!.output[0].code;
}

/** Medians in milliseconds: in the page itself, and in a frame of it. */
async function firstPictures(widget: string): Promise<number[]> {
  const tag = '<dialmark-widget relay="http://127.0.0.1:9" ticket-url="/ticket"></dialmark-widget>';
  const pages = await servePages(
    {
      '/': '<!doctype html><title>bench</title><body></body>',
      '/frame.html': `<!doctype html><title>frame</title>${tag}<script type="module" src="/widget.js"></script>`,
      '/widget.js': widget,
    },
    { 'cache-control': 'max-age=3600' },
  );
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const page = await browser.newPage();
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await page.goto(pages.url('/'));
      times[0].push(
        await page.evaluate(async (markup) => {
          document.body.setHTMLUnsafe(markup);
          const code = await (await fetch('/widget.js')).text();
          const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
          const start = performance.now();
          await import(address);
          document
            .querySelector('dialmark-widget')!
            .shadowRoot!.querySelector('section')!
            .getBoundingClientRect();
          return performance.now() - start;
        }, tag),
      );
      times[1].push(
        await page.evaluate(async () => {
          const frame = document.createElement('iframe');
          const start = performance.now();
          frame.src = '/frame.html';
          document.body.append(frame);
          await new Promise((resolve) => frame.addEventListener('load', resolve));
          const element = frame.contentDocument!.querySelector('dialmark-widget')!;
          element.shadowRoot!.querySelector('section')!.getBoundingClientRect();
          return performance.now() - start;
        }),
      );
    }
    return times.map(median);
  } finally {
    await browser.close();
    pages.close();
  }
}
