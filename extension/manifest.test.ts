import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { trackedFiles } from '../testing/tracked-files.ts';
import type { BrowserName } from './browser-name.ts';
import { manifest } from './manifest.ts';
import { publisher } from './publisher.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');
const filesWith = (text: string) =>
  trackedFiles().filter((file) => /\.(ts|tsx|json|mjs|html)$/.test(file) && read(file).includes(text));

const browsers: BrowserName[] = ['chrome', 'firefox'];
type Csp = { content_security_policy: { extension_pages: string } };

test.each(browsers)('the manifest of %s is the reviewed one', async (browser) => {
  const text = `${JSON.stringify(manifest(browser, '1.2.3'), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`./manifest.${browser}.snapshot.txt`);
});

test.each(browsers)('%s asks for no host or readable history at install', (browser) => {
  const made = manifest(browser, '1.2.3');
  expect(made).not.toHaveProperty('host_permissions');
  expect(made).not.toHaveProperty('content_scripts');
  expect(made).not.toHaveProperty('web_accessible_resources');
  expect(made).not.toHaveProperty('externally_connectable');
  expect(made.permissions).not.toContain('tabs');
  expect([...(made.permissions as string[]), ...(made.optional_permissions as string[])]).not.toContain(
    'cookies',
  );
});

test('the sample policy names the publisher’s id, which is in one file with its address', () => {
  for (const name of [publisher.geckoId, publisher.homepage])
    expect(filesWith(name).filter((file) => !file.startsWith('docs/'))).toEqual(['extension/publisher.ts']);
  expect(read('docs/deploy/firefox-policies.json')).toContain(`"${publisher.geckoId}"`);
});

test('only the registration helper clears browsing data', () => {
  const users = filesWith('browsingData').filter((file) => !/^e2e|gallery|manifest/.test(file));
  expect(users).toEqual(['extension/pages/registration/clear-site-data.ts']);
});

test('docs/store.md says why each permission is there', () => {
  const reasons = new Set([...read('docs/store.md').matchAll(/^\| `([\w]+)`/gm)].map(([, name]) => name));
  for (const browser of browsers) {
    const { permissions, optional_permissions } = manifest(browser, '1.2.3');
    for (const name of [...(permissions as string[]), ...(optional_permissions as string[])])
      expect(reasons, name).toContain(name);
  }
});

test.each(browsers)('%s pages run no remote code; http to a PBX is not upgraded', (browser) => {
  const policy = (manifest(browser, '1.2.3') as unknown as Csp).content_security_policy.extension_pages;
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(policy).not.toContain('unsafe');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
});

test('declares to Firefox the data that leaves the browser', () => {
  expect(manifest('firefox', '1.2.3').browser_specific_settings).toMatchObject({
    gecko: {
      data_collection_permissions: {
        required: ['authenticationInfo', 'personallyIdentifyingInfo', 'websiteContent'],
      },
    },
  });
});
