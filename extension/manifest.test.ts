import { expect, test } from 'vitest';
import { type BrowserName, manifest } from './manifest.ts';

const browsers: BrowserName[] = ['chrome', 'firefox'];
type Csp = { content_security_policy: { extension_pages: string } };

test.each(browsers)('the manifest of %s is the reviewed one', async (browser) => {
  const text = `${JSON.stringify(manifest(browser, '1.2.3'), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`./manifest.${browser}.snapshot.txt`);
});

test.each(browsers)('%s asks for no host and no readable history at install', (browser) => {
  const made = manifest(browser, '1.2.3');
  expect(made).not.toHaveProperty('host_permissions');
  expect(made).not.toHaveProperty('content_scripts');
  expect(made).not.toHaveProperty('web_accessible_resources');
  expect(made).not.toHaveProperty('externally_connectable');
  expect(made.permissions).not.toContain('tabs');
  expect(made.permissions).not.toContain('cookies');
});

test.each(browsers)('%s pages run no remote code, and http to a PBX is not upgraded', (browser) => {
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
