import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tab } from '../testing/browsers/browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import type { Part } from './build.ts';
import { rebuild } from './rebuild.ts';
import { watchFolders } from './watch-folders.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(folder.file('background'));
  await writeFile(folder.file('background/main.ts'), 'old');
});
afterEach(() => folder.remove());

/** A browser with a page of the extension and a website open, which records what is done to it. */
function recordingBrowser() {
  const origin = 'chrome-extension://id';
  const done: string[] = [];
  let urls = [`${origin}/extension/pages/options/index.html`, 'https://crm.example/', 'about:blank'];
  const tab = (url: string) => ({
    url: async () => url,
    reload: async () => void done.push(`reload ${url}`),
  });
  return {
    done,
    extensionOrigin: origin,
    openTabs: async () => urls.map(tab) as unknown as Tab[],
    newTab: async (url = '') => {
      done.push(`open ${url}`);
      return tab(url) as unknown as Tab;
    },
    reloadExtension: async () => {
      done.push('reload the extension');
      urls = urls.filter((url) => !url.startsWith(origin));
    },
  };
}

describe('rebuild', () => {
  it('reloads extension, own pages, websites after a change of an extension source', async () => {
    const browser = recordingBrowser();
    const build = async (): Promise<Part[]> => ['chrome'];
    const stop = watchFolders([folder.path], async () => void (await rebuild(browser, build)));
    await writeFile(folder.file('background/main.ts'), 'new');
    await until(() => browser.done.length >= 3, 'the reload');
    stop();
    expect(browser.done.slice(0, 3)).toEqual([
      'reload the extension',
      'open chrome-extension://id/extension/pages/options/index.html',
      'reload https://crm.example/',
    ]);
  });

  it('reloads the websites alone after a change of the widget', async () => {
    const browser = recordingBrowser();
    expect(await rebuild(browser, async () => ['widget'])).toEqual(['widget']);
    expect(browser.done).toEqual(['reload https://crm.example/']);
  });

  it('reloads nothing where nothing is stale', async () => {
    const browser = recordingBrowser();
    await rebuild(browser, async () => []);
    expect(browser.done).toEqual([]);
  });
});

describe('watchFolders', () => {
  it('runs once for a burst of changes, once more for a change during a run', async () => {
    /** What each run found. */
    const found: string[][] = [];
    const stop = watchFolders([folder.path], async () => {
      found.push((await readdir(folder.path)).filter((name) => name.endsWith('.ts')));
      if (found.length === 1) await writeFile(folder.file('during.ts'), '');
    });
    for (const name of ['a.ts', 'b.ts', 'c.ts']) await writeFile(folder.file(name), '');
    await until(() => found.length === 2, 'a second run');
    await writeFile(folder.file('later.ts'), '');
    await until(() => found.at(-1)!.includes('later.ts'), 'a run for the later change');
    stop();
    const burst = ['a.ts', 'b.ts', 'c.ts'];
    expect(found).toEqual([burst, [...burst, 'during.ts'], [...burst, 'during.ts', 'later.ts']]);
  });
});
