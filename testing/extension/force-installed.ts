/** A browser in which an organisation's policy installs the extension and sets it up: nobody loads it, nobody is asked. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { geckoId } from '../../extension/manifest.ts';
import { filesUnder, zip } from '../../tools/zip.ts';
import type { TestBrowser } from '../browsers/browser.ts';
import { launchChromium } from '../browsers/chromium.ts';
import { ensureChromium, ensureFirefox } from '../browsers/find-browsers.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { removeProfile } from '../browsers/remove-profile.ts';
import { chromiumUnderPolicy } from './chromium-policy.ts';
import { extensionIdOf } from './with-policy.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const run = promisify(execFile);

/** @param settings the extension's managed values. */
export async function launchForceInstalled(project: string, settings: object): Promise<TestBrowser> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-forced-'));
  const { browser, undo } = await (project === 'firefox' ? firefox : chromium)(folder, settings);
  return {
    ...browser,
    async close() {
      await browser.close();
      await undo();
      await removeProfile(folder);
    },
  };
}

interface Launched {
  browser: TestBrowser;
  undo(): Promise<void>;
}

/** Packed and signed by a key of one's own, and fetched from an update address, as a package outside the store is. */
async function chromium(folder: string, settings: object): Promise<Launched> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = extensionIdOf(publicKey.export({ type: 'spki', format: 'der' }));
  const key = path.join(folder, 'key.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));

  const site = await serve(() => files);
  const extension = path.join(folder, 'extension');
  await cp(path.join(dist, 'chrome'), extension, { recursive: true });
  const manifestFile = path.join(extension, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { version: string };
  const updateUrl = `${site.url}/update.xml`;
  await writeFile(manifestFile, JSON.stringify({ ...manifest, update_url: updateUrl }));
  await run(await ensureChromium(), [
    '--headless',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${path.join(folder, 'packing')}`,
    `--pack-extension=${extension}`,
    `--pack-extension-key=${key}`,
  ]);
  const files = {
    '/update.xml': Buffer.from(
      `<?xml version='1.0'?><gupdate xmlns='http://www.google.com/update2/response' protocol='2.0'><app appid='${id}'>
      <updatecheck codebase='${site.url}/dialmark.crx' version='${manifest.version}'/></app></gupdate>`,
    ),
    '/dialmark.crx': await readFile(`${extension}.crx`),
  };

  const { executable, undo } = await chromiumUnderPolicy(folder, id, {
    ExtensionSettings: { [id]: { installation_mode: 'force_installed', update_url: updateUrl } },
    '3rdparty': { extensions: { [id]: settings } },
    // Developer tools, and with them every driver, are kept from pages of force-installed extensions otherwise.
    DeveloperToolsAvailability: 1,
  });
  return {
    browser: await launchChromium({ executable, localNames: [] }),
    async undo() {
      site.close();
      await undo();
    },
  };
}

/** The package itself, unsigned, which an ESR may be told to take; the policy lies beside the program, as in a rolled-out copy. */
async function firefox(folder: string, settings: object): Promise<Launched> {
  const xpi = zip(await filesUnder(path.join(dist, 'firefox')));
  const site = await serve(() => ({ '/dialmark.xpi': xpi }));
  const executable = await firefoxWithPolicies(path.join(folder, 'firefox'), {
    ExtensionSettings: {
      [geckoId]: { installation_mode: 'force_installed', install_url: `${site.url}/dialmark.xpi` },
    },
    '3rdparty': { Extensions: { [geckoId]: settings } },
  });
  const browser = await launchFirefox({
    executable,
    extensionId: geckoId,
    localNames: [],
    preferences: { 'xpinstall.signatures.required': false },
  });
  return { browser, undo: async () => site.close() };
}

/** A copy of the program with policies of its own: links to everything but the one file that says where it stands. */
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

async function serve(files: () => Readonly<Record<string, Uint8Array>>): Promise<{
  url: string;
  close(): void;
}> {
  const server = createServer((request, response) => {
    const file = files()[new URL(request.url!, 'http://127.0.0.1').pathname];
    response.statusCode = file === undefined ? 404 : 200;
    response.setHeader('content-type', contentTypes[path.extname(request.url!.split('?')[0]!)] ?? 'text/xml');
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
const contentTypes: Record<string, string> = {
  '.crx': 'application/x-chrome-extension',
  '.xpi': 'application/x-xpinstall',
};
