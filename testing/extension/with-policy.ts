/**
 * A browser of its own whose extension has a policy, given as an administrator gives it. Each browser's file names this one
 * extension only, so that browsers running beside it notice nothing.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { geckoId } from '../../extension/manifest.ts';
import type { TestBrowser } from '../browsers/browser.ts';
import { launchChromium } from '../browsers/chromium.ts';
import { ensureFirefox } from '../browsers/find-browsers.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { removeProfile } from '../browsers/remove-profile.ts';
import { browserScript, chromiumUnderPolicy } from './chromium-policy.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

export async function launchWithPolicy(project: string, policy: object): Promise<TestBrowser> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-policy-'));
  const launched = await (project === 'firefox' ? firefox(folder, policy) : chromium(folder, policy));
  return {
    ...launched.browser,
    async close() {
      await launched.browser.close();
      await launched.undo();
      await removeProfile(folder);
    },
  };
}

interface Launched {
  browser: TestBrowser;
  undo(): Promise<void>;
}

/** Firefox looks for managed values below the home folder, too. */
async function firefox(folder: string, policy: object): Promise<Launched> {
  const values = path.join(folder, '.mozilla/managed-storage');
  await mkdir(values, { recursive: true });
  await writeFile(
    path.join(values, `${geckoId}.json`),
    JSON.stringify({ name: geckoId, description: 'policy', type: 'storage', data: policy }),
  );
  const program = await browserScript(folder, `HOME='${folder}' exec '${await ensureFirefox()}' "$@"`);
  const extension = path.join(dist, 'firefox');
  const browser = await launchFirefox({
    executable: program,
    extension,
    extensionId: geckoId,
    localNames: [],
  });
  return { browser, undo: async () => {} };
}

async function chromium(folder: string, policy: object): Promise<Launched> {
  // An unpacked extension's id comes from its path: this copy is nobody else's.
  const extension = path.join(folder, 'extension');
  await cp(path.join(dist, 'chrome'), extension, { recursive: true });
  const id = extensionIdOf(extension);
  const { executable, undo } = await chromiumUnderPolicy(folder, id, {
    '3rdparty': { extensions: { [id]: policy } },
  });
  return { browser: await launchChromium({ executable, extension, localNames: [] }), undo };
}

/** @param of the path of an unpacked extension, or the public key of a packed one as SubjectPublicKeyInfo. */
export function extensionIdOf(of: string | Uint8Array): string {
  return [...createHash('sha256').update(of).digest('hex').slice(0, 32)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
    .join('');
}
