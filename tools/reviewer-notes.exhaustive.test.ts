import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { root, startChild } from '../testing/child.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { sourceFiles } from './package.ts';
import { explanationOf, reviewerNotes } from './reviewer-notes.ts';
import { filesUnder, writeFiles, zip } from './zip.ts';

test('the notes name system, exact versions, commands, packages, the reason of each warning', () => {
  const notes = reviewerNotes({
    version: '1.2.3',
    system: 'Debian 12',
    tools: { node: '20.20.2', vite: '8.3.8' },
    packages: { 'dialmark-1.2.3-firefox.xpi': 'abc' },
    warnings: [{ code: 'UNSUPPORTED_API', message: 'sidePanel.open is not supported', file: 'popup.js' }],
  });
  for (const part of [
    'Debian 12',
    'node 20.20.2',
    'vite 8.3.8',
    'npm ci',
    'firefox.xpi  abc',
    'chrome.sidePanel',
  ])
    expect(notes).toContain(part);
  expect(explanationOf({ code: 'UNSUPPORTED_API', message: 'somethingNew', file: '' })).toBeUndefined();
});

test('the packaged sources build to the same bytes in another folder, time zone, language', async () => {
  const folder = await temporaryFolder();
  try {
    const here = { environment: { TZ: 'America/Sao_Paulo', LANG: 'pt_BR.UTF-8' } };
    await writeFiles(folder.path, unzipSync(zip(await sourceFiles())));
    await symlink(path.join(root, 'node_modules'), folder.file('node_modules'));
    const build = [process.execPath, '--import', 'tsx', 'tools/build.ts'];
    for (const child of [
      startChild([...build, 'firefox'], { ...here, folder: folder.path }),
      startChild([...build, '--if-stale', 'firefox']),
    ])
      expect(await child.exited, child.output()).toBe(0);
    const built = zip(await filesUnder(path.join(root, 'dist/firefox')));
    const rebuilt = zip(await filesUnder(folder.file('dist/firefox')));
    expect(Object.keys(unzipSync(rebuilt))).toEqual(Object.keys(unzipSync(built)));
    expect(Buffer.from(rebuilt).equals(built)).toBe(true);
  } finally {
    await folder.remove();
  }
});
