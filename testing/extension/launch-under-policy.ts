/** Launches browsers with a policy for the extension. Other running browsers are not affected. */
import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { publisher } from '../../extension/publisher.ts';
import { filesUnder, zip } from '../../tools/zip.ts';
import type { TestBrowser } from '../browsers/browser.ts';
import { extensionIdOf } from '../browsers/chromium.ts';
import { ensureChromium, ensureFirefox } from '../browsers/find-browsers.ts';
import { launchBrowser } from '../browsers/launch.ts';
import { root } from '../child.ts';
import { servePages } from '../servers/serve-pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const { geckoId } = publisher;

/** Functions that undo a policy. They run in reverse order after the browser closes. */
type Undo = (() => unknown)[];
type Launch = (folder: string, values: object, undo: Undo) => Promise<TestBrowser>;

/** Launches a browser with the extension loaded as ever, and these managed values for it. */
export const launchWithPolicy = (name: string, values: object): Promise<TestBrowser> =>
  launchIn(name === 'firefox' ? firefoxWithValues : chromiumWithValues, values);

/**
 * Launches a browser in which the policy installs the extension, too: no folder is loaded and no permission requested.
 * @param policies the file as the administrator writes it, parsed; id and address of the extension are those
 * of the one under test.
 */
export const launchForceInstalled = (name: string, policies: object): Promise<TestBrowser> =>
  launchIn(name === 'firefox' ? firefoxForceInstalled : chromiumForceInstalled, policies);

async function launchIn(launch: Launch, values: object): Promise<TestBrowser> {
  const folder = await temporaryFolder('policy');
  const undo: Undo = [() => folder.remove()];
  const undoAll = async () => {
    for (const step of undo.toReversed()) await step();
  };
  const browser = await launch(folder.path, values, undo).catch(async (error) => {
    await undoAll();
    throw error;
  });
  return {
    ...browser,
    async close() {
      await browser.close();
      await undoAll();
    },
  };
}

/** Firefox looks for managed values below the home folder, too. */
const firefoxWithValues: Launch = async (folder, data) => {
  const values = path.join(folder, '.mozilla/managed-storage');
  await mkdir(values, { recursive: true });
  await writeFile(
    path.join(values, `${geckoId}.json`),
    JSON.stringify({ name: geckoId, description: 'policy', type: 'storage', data }),
  );
  const executable = await browserScript(folder, `HOME='${folder}' exec '${await ensureFirefox()}' "$@"`);
  return launchBrowser('firefox', { executable, policy: 'setsValues' });
};

/** An unpacked extension's id comes from its path: this copy has an id of its own. */
const chromiumWithValues: Launch = async (folder, values, undo) => {
  const extension = path.join(folder, 'extension');
  await cp(path.join(root, 'dist/chrome'), extension, { recursive: true });
  const id = extensionIdOf(extension);
  const policy = { '3rdparty': { extensions: { [id]: values } } };
  const executable = await chromiumUnderPolicy(folder, id, policy, undo);
  return launchBrowser('chromium', { executable, extension, policy: 'setsValues' });
};

/** Packs and signs the extension. The browser fetches it from an update address, as it does outside the store. */
const chromiumForceInstalled: Launch = async (folder, policies, undo) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = extensionIdOf(publicKey.export({ type: 'spki', format: 'der' }));
  const key = path.join(folder, 'key.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));

  const files: Record<string, string | Buffer> = {};
  const site = await servePages(files);
  undo.push(site.close);
  const extension = path.join(folder, 'extension');
  await cp(path.join(root, 'dist/chrome'), extension, { recursive: true });
  const manifestFile = path.join(extension, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { version: string };
  const updateUrl = site.url('/update.xml');
  await writeFile(manifestFile, JSON.stringify({ ...manifest, update_url: updateUrl }));
  await promisify(execFile)(await ensureChromium(), [
    '--headless',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${path.join(folder, 'packing')}`,
    `--pack-extension=${extension}`,
    `--pack-extension-key=${key}`,
  ]);
  files['/update.xml'] =
    `<?xml version='1.0'?><gupdate xmlns='http://www.google.com/update2/response' protocol='2.0'><app appid='${id}'>
      <updatecheck codebase='${site.url('/dialmark.crx')}' version='${manifest.version}'/></app></gupdate>`;
  files['/dialmark.crx'] = await readFile(`${extension}.crx`);

  const policy = {
    ...withExtension(policies, id, { update_url: updateUrl }),
    // Otherwise pages of force-installed extensions are closed to developer tools, and with them to every driver.
    DeveloperToolsAvailability: 1,
  };
  const executable = await chromiumUnderPolicy(folder, id, policy, undo);
  return launchBrowser('chromium', { executable, policy: 'installs' });
};

/** The unsigned package itself; the policy lies beside the program, as in a rolled-out copy. */
const firefoxForceInstalled: Launch = async (folder, file, undo) => {
  const xpi = Buffer.from(zip(await filesUnder(path.join(root, 'dist/firefox'))));
  const site = await servePages({ '/dialmark.xpi': xpi });
  undo.push(site.close);
  const { policies } = file as { policies: object };
  const executable = await firefoxWithPolicies(
    path.join(folder, 'firefox'),
    withExtension(policies, geckoId, { install_url: site.url('/dialmark.xpi') }),
  );
  return launchBrowser('firefox', { executable, policy: 'installs' });
};

/** The policies with another id in place of the one extension's, and another address. */
function withExtension(policies: object, id: string, address: object): object {
  const { ExtensionSettings: installed } = policies as { ExtensionSettings: Record<string, object> };
  const [[sampleId, settings]] = Object.entries(installed) as [[string, object]];
  const renamed = JSON.parse(JSON.stringify(policies).replaceAll(sampleId, id)) as object;
  return { ...renamed, ExtensionSettings: { [id]: { ...settings, ...address } } };
}

/** Copies the program as links to everything but the one file that its location is derived from. */
async function firefoxWithPolicies(folder: string, policies: object): Promise<string> {
  const program = await realpath(await ensureFirefox());
  const installed = path.dirname(program);
  await mkdir(path.join(folder, 'distribution'), { recursive: true });
  for (const name of await readdir(installed))
    if (name !== 'distribution' && name !== path.basename(program))
      await symlink(path.join(installed, name), path.join(folder, name));
  await cp(program, path.join(folder, path.basename(program)));
  await writeFile(path.join(folder, 'distribution/policies.json'), JSON.stringify({ policies }));
  return path.join(folder, path.basename(program));
}

/** Where Chromium, Chrome and Chrome for Testing read policies below /etc on Linux. */
const policyFolders = ['chromium', 'opt/chrome', 'opt/chrome_for_testing'].map(
  (browser) => `${browser}/policies/managed`,
);

/**
 * Starts Chromium in a mount namespace of its own, so that no other browser sees the policy; where none may
 * be made (root in most containers), under /etc.
 * @param id of the one extension that the policy is about, for a name that no other file has.
 * @returns the program to launch.
 */
async function chromiumUnderPolicy(folder: string, id: string, policy: object, undo: Undo): Promise<string> {
  const program = await ensureChromium();
  const isRoot = process.getuid?.() === 0;
  const unshare = ['unshare', isRoot ? '-m' : '-rm'] as const;
  const isIsolated = !isRoot || spawnSync(unshare[0], [unshare[1], 'true']).status === 0;
  const etc = isIsolated ? path.join(folder, 'etc') : '/etc';
  const files = policyFolders.map((policies) => path.join(etc, policies, `dialmark-test-${id}.json`));
  for (const file of files) {
    const write = async () => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(policy));
    };
    // Another test that ends may remove the folder before the file is written. So it is tried twice.
    await write().catch(write);
  }
  if (isIsolated)
    return browserScript(
      folder,
      `exec ${unshare.join(' ')} sh -c 'mount -t overlay overlay -o lowerdir=${etc}:/etc /etc && exec "$0" ` +
        `"$@"' '${program}' "$@"`,
    );
  undo.push(async () => {
    for (const file of files) {
      await rm(file, { force: true });
      // A folder that holds anything else stays.
      for (let level = 1, above = path.dirname(file); level <= 3; level += 1, above = path.dirname(above))
        await rmdir(above).catch(() => {});
    }
  });
  return program;
}

/** @returns a program that starts a browser by this shell command. */
async function browserScript(folder: string, command: string): Promise<string> {
  const file = path.join(folder, 'browser.sh');
  await writeFile(file, `#!/bin/sh\n${command}\n`);
  await chmod(file, 0o755);
  return file;
}
