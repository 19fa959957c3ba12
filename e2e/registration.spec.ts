/** The registration by hand, from the extension's page: log in, take the keys, clear the PBX's data, leave nothing behind. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import type { Tab, TestBrowser } from '../testing/browsers/browser.ts';
import { launchBrowser } from '../testing/browsers/launch.ts';
import { root } from '../testing/child.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import { confirmDestructive } from '../testing/extension/confirm-destructive.ts';
import { serveHttp } from '../testing/servers/serve-http.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';

const device = '8f3e1c5a-0b7d-4a6e-9c2f-1d5b7a9e3c10';
const account = { email: 'admin@harbor.example', password: 'never kept "anywhere"' };
/** A PBX, another host of its domain, and an unrelated one. */
const hosts = ['pbx.test', 'www.pbx.test', 'other.test'];

interface Office {
  browser: TestBrowser;
  sandbox: Sandbox;
  /** Port of a web server that answers under every name. */
  port: number;
}

const test = base.extend<{ form: Tab }, { office: Office }>({
  office: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
    async ({}, use, worker) => {
      const folder = await temporaryFolder();
      const sandbox = await startSandbox({ port: 0, account });
      const web = await startWeb();
      const browser = await launch(worker.project.name, folder.path);
      await use({ browser, sandbox, port: web.port });
      await browser.close();
      await sandbox.close();
      await web.close();
      await folder.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  form: async ({ office: { browser } }, use) => {
    const page = await browser.newTab(`${browser.extensionOrigin}/extension/pages/registration/index.html`);
    await until(() => page.count('#login'), 'the registration page');
    await use(page);
    await page.close();
  },
});

/**
 * Headless Chromium shows no prompt for `browsingData`, and unlike for hosts there is no way round it: there it is a permission
 * of the extension's copy from the start. Firefox answers by preference, so the request itself is real there.
 */
async function launch(project: string, folder: string): Promise<TestBrowser> {
  if (project === 'firefox') return launchBrowser('firefox');
  const extension = path.join(folder, 'extension');
  await cp(path.join(root, 'dist/chrome'), extension, { recursive: true });
  const file = path.join(extension, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  manifest.permissions.push('browsingData');
  manifest.optional_permissions = manifest.optional_permissions.filter(
    (name: string) => name !== 'browsingData',
  );
  await writeFile(file, JSON.stringify(manifest));
  return launchBrowser('chromium', { extension });
}

const startWeb = () =>
  serveHttp((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>PBX</title><p>PBX');
  });

async function logIn(page: Tab, { browser, sandbox }: Office, password = account.password): Promise<void> {
  await browser.allowHost('127.0.0.1');
  await page.fill('#device-uuid', device);
  await page.fill('#register-api-url', sandbox.url);
  await page.fill('#email', account.email);
  await page.fill('#password', password);
  await page.click('#login');
}

const passwordIn = (page: Tab) => page.evaluate<string>(`document.querySelector('#password').value`);

const holds = (page: Tab, permissions: object) =>
  page.evaluate<boolean>(
    `(globalThis.browser ?? chrome).permissions.contains(${JSON.stringify(permissions)})`,
  );

test('shows the keys after a login that leaves nothing in the browser', async ({ office, form: page }) => {
  await logIn(page, office);
  await until(() => page.count('#client_key'), 'the keys');
  const clientKey = await page.text('#client_key');
  expect(clientKey).toMatch(/^\$2a\$10\$/);
  expect(await page.text('#api_key')).toContain('/$1$');
  const statements = await page.text('#statements');
  expect(statements).toContain(`SET client_key = '${clientKey}',`);
  expect(statements).toContain(`WHERE uuid = '${device}';`);

  await page.click('#copy-client_key');
  await until(
    async () => (await page.text('.value [role=status]:not(:empty)')) === 'Copied',
    'the word Copied',
  );

  expect(await passwordIn(page)).toBe('');
  const kept = await page.evaluate<string>(`(async () => {
    const api = globalThis.browser ?? chrome;
    const databases = await indexedDB.databases();
    const rows = await Promise.all(databases.map(({ name }) => new Promise((resolve) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = async () => {
        const database = opening.result;
        const all = await Promise.all([...database.objectStoreNames].map((store) => new Promise((done) => {
          const reading = database.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => done(reading.result);
        })));
        database.close();
        resolve(all);
      };
    })));
    return JSON.stringify([await api.storage.local.get(), await api.storage.session.get(), { ...localStorage },
      { ...sessionStorage }, rows]) + document.documentElement.outerHTML;
  })()`);
  expect(kept).not.toContain('never kept');
  expect(kept).not.toMatch(/eyJ[\w-]+\./);
  // The keys are on the screen and nowhere else.
  expect(kept.split('</head>')[0]).not.toContain(clientKey);
  await until(
    async () => !(await holds(page, { origins: ['*://127.0.0.1/*'] })),
    'the permission given back',
  );

  await page.click('#forget');
  await confirmDestructive(page, 'forget-keys');
  await until(async () => (await page.count('#client_key')) === 0, 'the keys gone');
  expect(page.errors()).toEqual([]);
});

test('explains a wrong password with its field emptied @exhaustive', async ({ office, form: page }) => {
  await logIn(page, office, 'wrong');
  await until(
    async () => (await page.attribute('#login-failure', 'data-code')) === 'wrongPassword',
    'the refusal',
  );
  expect(await passwordIn(page)).toBe('');
  expect(await page.count('#client_key')).toBe(0);
});

test('gives the permission back when the page is reloaded while a login runs', async ({
  office,
  form: page,
}) => {
  let requests = 0;
  const silent = await serveHttp(() => requests++);
  try {
    await logIn(page, { ...office, sandbox: { ...office.sandbox, url: silent.url } });
    await until(() => requests, 'the login');
    const permission = { origins: ['*://127.0.0.1/*'] };
    expect(await holds(page, permission)).toBe(true);
    await page.reload();
    await until(async () => !(await holds(page, permission)), 'the permission given back');
  } finally {
    await silent.close();
  }
});

test('logs in over plain http to another machine only with the permission ticked @exhaustive', async ({
  office,
  form: page,
}) => {
  await logIn(page, office);
  await until(() => page.count('#client_key'), 'the keys');
  await office.browser.allowHost('pbx.test');
  await page.fill('#register-api-url', office.sandbox.url.replace('127.0.0.1', 'pbx.test'));
  await page.fill('#password', account.password);
  await page.click('#login');
  await until(
    async () => (await page.attribute('#login-failure', 'data-code')) === 'insecure',
    'the refusal',
  );
  await page.click('#allow-plaintext');
  await page.fill('#password', account.password);
  await page.click('#login');
  await until(() => page.count('#client_key'), 'the keys again');
});

test("clears cookies or site data of the PBX's host alone, stating how far it goes", async ({
  office: { browser, port },
  form: page,
}) => {
  const tabs = new Map<string, Tab>();
  for (const name of hosts) {
    const tab = await browser.newTab(`http://${name}:${port}/`);
    await tab.evaluate(
      `(() => { document.cookie = 'session=1; max-age=9999'; localStorage.setItem('state', 'old'); return true; })()`,
    );
    tabs.set(name, tab);
  }
  const left = async (name: string) => {
    const tab = tabs.get(name)!;
    await tab.goto(`http://${name}:${port}/again`);
    return tab.evaluate<[string, string | null]>(`[document.cookie, localStorage.getItem('state')]`);
  };

  await page.fill('#pbx-address', `http://pbx.test:${port}/login`);
  await page.click('#clear-site');
  await until(() => page.count('#clear'), 'the question');
  expect(await page.text('#clear-question')).toBe('Clear cookies and site data of pbx.test?');
  expect(await page.text('#clear')).toContain(
    browser.name === 'firefox' ? 'no other host' : 'the whole domain',
  );
  await page.click('#clear-no');
  expect(await left('pbx.test')).toEqual(['session=1', 'old']);

  await page.click('#clear-site');
  await confirmDestructive(page, 'clear');
  await until(async () => (await page.attribute('#clear-result', 'data-kind')) !== null, 'the result');
  expect(await page.text('#clear-result')).toBe('Cookies and site data of pbx.test are cleared.');
  // The page's process is notified with a delay.
  await expect.poll(() => left('pbx.test'), { timeout: 30_000 }).toEqual(['', null]);
  expect(await left('other.test')).toEqual(['session=1', 'old']);
  // As the page said: Chrome takes the cookies of the whole domain along, and neither takes its storage.
  expect(await left('www.pbx.test')).toEqual([browser.name === 'firefox' ? 'session=1' : '', 'old']);
  expect(await holds(page, { permissions: ['browsingData'] })).toBe(browser.name === 'chromium');
  for (const tab of tabs.values()) await tab.close();
});

test('the question about the data of a long host fits a narrow page with large text', async ({
  form: page,
}) => {
  await page.setViewport({ width: 320, height: 700 });
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await page.fill('#pbx-address', 'https://telefonia.empresacliente.com.br/');
  await page.click('#clear-site');
  await until(() => page.count('#clear'), 'the question');
  const overflow = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;
  expect(await page.evaluate<number>(overflow)).toBe(0);
  await page.click('#clear-no');
});

test('clears nothing without the permission, nor for text that is no address @exhaustive', async ({
  form: page,
}) => {
  await page.fill('#pbx-address', 'not a host');
  await page.click('#clear-site');
  await until(
    async () => (await page.attribute('#pbx-address', 'aria-invalid')) === 'true',
    'the field marked',
  );
  expect(await page.count('#clear')).toBe(0);

  await page.fill('#pbx-address', 'pbx.test');
  await page.click('#clear-site');
  await until(() => page.count('#clear'), 'the question');
  await page.evaluate(
    `(() => { (globalThis.browser ?? chrome).permissions.request = () => Promise.resolve(false); return true; })()`,
  );
  await confirmDestructive(page, 'clear');
  await until(async () => (await page.attribute('#clear-result', 'data-kind')) === 'refused', 'the result');
});

test('has no axe violations in both themes, empty or filled @exhaustive', async ({ office, form: page }) => {
  const inBothThemes = async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await office.browser.setColorScheme(scheme);
      await until(
        () => page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: ${scheme})').matches`),
        `the ${scheme} theme`,
      );
      // Colours that are still in transition from one theme to the other are not tested.
      await page.evaluate(
        `Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)`,
      );
      expect(await axeViolations(page)).toEqual([]);
    }
  };
  await inBothThemes();
  await logIn(page, office);
  await until(() => page.count('#client_key'), 'the keys');
  await page.fill('#pbx-address', 'pbx.test');
  await page.click('#clear-site');
  await until(() => page.count('#clear'), 'the question');
  await inBothThemes();
});
