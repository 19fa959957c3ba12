/**
 * The widget's pictures in `docs/images/`, drawn from the gallery: `node --import tsx
 * widget/gallery/screenshots.ts`.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { ensureChromium } from '../../testing/browsers/find-browsers.ts';
import { startWidgetGallery } from './serve.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const chosen = [
  'Ringing, and what was before',
  'Answered: recording and transfer',
  'Missed call',
  'Offline during a call',
  'Dial: a number',
  'Compact',
];
const query = (more: Record<string, string>, names: readonly string[]) =>
  `?${new URLSearchParams([...Object.entries(more), ...names.map((name) => ['state', name])])}`;

const pictures: [string, string, { width: number; height: number }][] = [
  ['widget-light.png', query({ lang: 'en', theme: 'light' }, chosen), { width: 900, height: 600 }],
  ['widget-dark.png', query({ lang: 'en', theme: 'dark' }, chosen), { width: 900, height: 600 }],
  ['widget-languages.png', query({ theme: 'light' }, chosen.slice(0, 1)), { width: 460, height: 600 }],
  ['widget-gallery.png', query({ lang: 'en', theme: 'light' }, []), { width: 1100, height: 600 }],
];

const gallery = await startWidgetGallery();
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  for (const [name, address, viewport] of pictures) {
    const page = await browser.newPage({
      viewport,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    await page.goto(gallery.url + address);
    await page.locator('html[data-drawn]').waitFor();
    await page.screenshot({ path: folder + name, fullPage: true, scale: 'css' });
    await page.close();
    console.log(`docs/images/${name}`);
  }
} finally {
  await browser.close();
  gallery.close();
}
