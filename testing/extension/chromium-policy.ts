/** A Chromium under a policy, given as an administrator on Linux gives it. */
import { chmod, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureChromium } from '../browsers/find-browsers.ts';

/** Where Chromium, Chrome and Chrome for Testing read policies on Linux. Only root may write there. */
const policyFolders = ['chromium', 'opt/chrome', 'opt/chrome_for_testing'].map(
  (browser) => `${browser}/policies/managed`,
);

export interface UnderPolicy {
  executable: string;
  undo(): Promise<void>;
}

/**
 * @param id of the one extension that the policy is about, for a name that no other file has.
 * @param folder temporary; the caller removes it.
 */
export async function chromiumUnderPolicy(folder: string, id: string, policy: object): Promise<UnderPolicy> {
  const text = JSON.stringify(policy);
  const program = await ensureChromium();
  if (process.getuid?.() === 0) {
    const files = policyFolders.map((policies) => path.join('/etc', policies, `dialmark-test-${id}.json`));
    for (const file of files) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return {
      executable: program,
      async undo() {
        for (const file of files) {
          await rm(file, { force: true });
          // A folder that holds anything else stays.
          for (let level = 1, above = path.dirname(file); level <= 3; level += 1, above = path.dirname(above))
            await rmdir(above).catch(() => {});
        }
      },
    };
  }
  // Anybody else sees the policy in a namespace of their own.
  const etc = path.join(folder, 'etc');
  for (const policies of policyFolders) {
    await mkdir(path.join(etc, policies), { recursive: true });
    await writeFile(path.join(etc, policies, 'dialmark.json'), text);
  }
  const executable = await browserScript(
    folder,
    `exec unshare -rm sh -c 'mount -t overlay overlay -o lowerdir=${etc}:/etc /etc && exec "$0" "$@"' '${program}' "$@"`,
  );
  return { executable, undo: async () => {} };
}

/** @returns a program that starts a browser by this shell command. */
export async function browserScript(folder: string, command: string): Promise<string> {
  const file = path.join(folder, 'browser.sh');
  await writeFile(file, `#!/bin/sh\n${command}\n`);
  await chmod(file, 0o755);
  return file;
}
