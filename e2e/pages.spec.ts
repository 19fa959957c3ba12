/** Our own pages as an agent and an administrator use them: by keyboard, in every theme, and without ever showing a secret. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SettingsView } from '../extension/messages/views.ts';
import type { Point, Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { ask, readyToDial, resetExtension } from '../testing/extension/ask-background.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import { confirmDestructive } from '../testing/extension/confirm-destructive.ts';
import { callsFinished, paintedNumbers, waitUntilClickable } from '../testing/extension/marked-numbers.ts';
import { agent, openOptions } from '../testing/extension/options-page.ts';
import { makeCertificate } from '../testing/servers/make-certificate.ts';
import { serveHttp } from '../testing/servers/serve-http.ts';
import { html, servePages } from '../testing/servers/serve-pages.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

test.beforeAll(async ({ workstation }) => {
  await resetExtension(workstation);
  await workstation.setUp();
});

/** Endings of the sandbox's table: answered, and the agent's own phone not picked up. */
const answered = { typed: '11 3350 9001', to: '1133509001' };
/** A web page in place of the service's reply: it may ring, and its end will never be reported. */
const unanswerable = { typed: '11 3350 9013' };
/** Talks for 90 s, which are 23 s here, or until the story hangs up. */
const long = { typed: '11 3350 9002', to: '1133509002' };
/** Refused at once. */
const refused = { typed: '11 3350 9015' };
const lost = { typed: '11 3350 9005', to: '1133509005' };

const open = (workstation: Workstation, page: string) =>
  workstation.browser.newTab(`${workstation.browser.extensionOrigin}/extension/pages/${page}`);

async function openPopup(workstation: Workstation): Promise<Tab> {
  const popup = await open(workstation, 'popup/index.html');
  await until(() => popup.count('#dial-input'), 'the dial field');
  return popup;
}

const valueIn = (tab: Tab, selector: string) =>
  tab.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).value`);

const hangUp = (workstation: Workstation, call: number) =>
  until(
    () => workstation.sandbox.hangUp(workstation.sandbox.calls[call]?.callid ?? ''),
    'the call to hang up',
  );

/** The id of what is painted in the middle of an element. */
const idUnder = (tab: Tab, selector: string) =>
  tab.evaluate<string>(`(() => {
    const { x, y, width, height } = document.querySelector('${selector}').getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2).id;
  })()`);

async function discard(options: Tab): Promise<void> {
  await options.click('#discard');
  await confirmDestructive(options, 'discard-changes');
}

const focused = (tab: Tab) => tab.evaluate<string>('document.activeElement?.id ?? ""');

/** Places a call by `press`, repeated until the page takes it, and waits for its end. */
async function callToItsEnd(
  workstation: Workstation,
  popup: Tab,
  press: () => Promise<unknown>,
): Promise<void> {
  const before = workstation.sandbox.calls.length;
  const newest = await popup.attribute('#recent li', 'data-id');
  await readyToDial(popup);
  await until(async () => {
    if (workstation.sandbox.calls.length > before) return true;
    await press();
    return false;
  }, 'a call');
  await until(
    async () =>
      (await popup.attribute('#recent li', 'data-id')) !== newest &&
      /disconnected|failed|unknown/.test((await popup.attribute('#recent li', 'data-state')) ?? ''),
    'the end of the call',
  );
  expect(workstation.sandbox.calls.length).toBe(before + 1);
}

async function dialToItsEnd(workstation: Workstation, popup: Tab, number: { typed: string }): Promise<void> {
  await popup.fill('#dial-input', number.typed);
  await callToItsEnd(workstation, popup, async () => {
    if ((await popup.attribute('#dial-button', 'disabled')) === null) await popup.press('Enter');
  });
}

test('the first-run page opens after a person installs the extension', async ({ workstation }) => {
  const firstRun = `${workstation.browser.extensionOrigin}/extension/pages/welcome/index.html`;
  await until(async () => {
    const open = await Promise.all(
      (await workstation.browser.openTabs()).map((tab) => tab.url().catch(() => '')),
    );
    return open.includes(firstRun);
  }, 'the first-run page');
});

test('the dial field is focused, groups digits, shows what is dialled, calls once on Enter', async ({
  workstation,
}) => {
  const popup = await openPopup(workstation);
  await until(async () => (await focused(popup)) === 'dial-input', 'the focus in the dial field');
  await popup.fill('#dial-input', '11335');
  await expect.poll(() => valueIn(popup, '#dial-input')).toBe('(11) 335');
  await popup.fill('#dial-input', long.typed);
  await until(async () => (await popup.text('#dial-hint')).includes(long.to), 'the digits to be dialled');

  const before = workstation.sandbox.calls.length;
  const lastCall = await popup.attribute('#live-call', 'data-id');
  await popup.press('Enter');
  await popup.press('Enter');
  await until(async () => (await popup.attribute('#live-call', 'data-id')) !== lastCall, 'the live call');
  expect(await popup.text('#live-call')).toContain(`Your phone (${agent}) rings first`);
  await hangUp(workstation, before);
  await until(
    async () => (await popup.attribute('#live-call', 'data-state')) === 'disconnected',
    'the end of the call',
  );
  await expect.poll(() => valueIn(popup, '#dial-input')).toBe('');
  expect(workstation.sandbox.calls.length).toBe(before + 1);
  expect(await popup.count('#refused')).toBe(0);
  expect(popup.errors()).toEqual([]);
  await popup.close();
});

test("the guard's question takes the focus, so that Escape answers no", async ({ workstation }) => {
  const popup = await openPopup(workstation);
  const before = workstation.sandbox.calls.length;
  await popup.fill('#dial-input', '+49 30 22730027');
  await popup.press('Enter');
  await until(async () => (await focused(popup)) === 'confirm-yes', 'the question');
  await popup.press('Escape');
  await until(async () => (await popup.count('#confirm')) === 0, 'the question to go');
  expect(workstation.sandbox.calls.length).toBe(before);
  await popup.close();
});

test('the page of a phone link asks about a foreign number once, then closes at the end', async ({
  workstation,
}) => {
  await callsFinished(workstation);
  const before = workstation.sandbox.calls.length;
  const page = await open(workstation, `call/index.html?u=${encodeURIComponent('tel:+493022730027')}`);
  await until(async () => (await focused(page)) === 'call-button', 'the button');
  expect(await page.text('main')).toContain('Dialmark');
  expect(await page.text('#call-reason')).toContain('another country');
  await until(async () => {
    if (await page.count('#live-call')) return true;
    if (await page.count('#call-button:not([aria-disabled=true])')) await page.press('Enter');
    return false;
  }, 'the call');
  expect(await page.count('#confirm')).toBe(0);
  expect(workstation.sandbox.calls.length).toBe(before + 1);
  await hangUp(workstation, before);
  await until(() => page.count('#call-close'), 'the button that closes');
  await page.close();
  await callsFinished(workstation);
});

test('a number of a doubtful country is asked about once, with the local reading second', async ({
  workstation,
}) => {
  await callsFinished(workstation);
  const before = workstation.sandbox.calls.length;
  const openLink = () => open(workstation, 'call/index.html?u=tel:01133509001');
  const page = await openLink();
  await until(async () => (await focused(page)) === 'call-button', 'the button');
  await until(async () => {
    if (await page.count('#confirm')) return true;
    if (await page.count('#call-button:not([aria-disabled=true])')) await page.press('Enter');
    return false;
  }, 'the question');
  expect(await page.text('#confirm-question')).toBe('Call +55 11 3350-9001, Brazil?');
  expect(await page.text('#confirm-other')).toBe('Call +44 113 350 9001, United Kingdom instead');
  expect(workstation.sandbox.calls.length).toBe(before);
  await until(async () => {
    if (await page.count('#live-call')) return true;
    if (await page.count('#confirm-yes')) await page.press('Enter');
    return false;
  }, 'the call');
  expect(await page.text('#live-call')).toContain('+55 11 3350-9001');
  expect(workstation.sandbox.calls.length).toBe(before + 1);
  await page.close();
  await callsFinished(workstation);

  const again = await openLink();
  await until(async () => (await focused(again)) === 'call-button', 'the button');
  await until(async () => {
    if (await again.count('#live-call')) return true;
    if (await again.count('#call-button:not([aria-disabled=true])')) await again.press('Enter');
    return false;
  }, 'the call that is not asked about');
  expect(workstation.sandbox.calls.length).toBe(before + 2);
  await again.close();
  await callsFinished(workstation);
});

test('a lost call is explained, counted, called again by one button', async ({ workstation }) => {
  const popup = await openPopup(workstation);
  await dialToItsEnd(workstation, popup, lost);
  await until(
    async () => (await popup.attribute('#live-call', 'data-reason')) === 'callerNoAnswer',
    'the lost call',
  );
  expect(await popup.text('#live-call')).toMatch(/your phone was not answered/i);
  expect(await popup.text('#lost-count')).toMatch(/Calls today that did not go through.*: 1\./);
  const before = workstation.sandbox.calls.length;
  await callsFinished(workstation);
  await waitUntilClickable(popup);
  await popup.click('#call-again');
  await until(() => workstation.sandbox.calls.length > before, 'the call made again');
  expect(workstation.sandbox.calls[before]).toMatchObject({ fields: { to: lost.to } });
  await until(async () => /: 2\./.test(await popup.text('#lost-count')), 'the second lost call');
  await popup.close();
});

test('a call shows note, number to copy, recording, outcome until it is deleted alone', async ({
  workstation,
}) => {
  const popup = await openPopup(workstation);
  await dialToItsEnd(workstation, popup, refused);
  await dialToItsEnd(workstation, popup, answered);
  expect(await popup.text('#live-call')).toContain('Talk time: 0:04');
  await popup.click('#recent li summary');
  const note = '#recent li textarea';
  await popup.fill(note, 'asked for an offer in May');
  await popup.press('Enter');
  await until(
    async () => /Saved/.test(await popup.text('#recent li .wrap-up [role=status]')),
    'the note kept at the relay',
  );
  expect(await popup.attribute('#recent li a', 'href')).toMatch(/^http/);
  await popup.click('#recent li .copy-number');
  await until(async () => (await popup.text('#recent li .copy-number')) === 'Copied', 'the number copied');
  await popup.click('#recent li .check-recording');
  await until(async () => /Available/.test(await popup.text('#recent li .row')), 'the recording found');
  await popup.reload();
  await until(() => popup.count('#recent li'), 'recent calls');
  const all = await popup.count('#recent li');
  await popup.fill('#search', 'offer in May');
  await until(async () => (await popup.count('#recent li')) === 1, 'the one call found');
  expect(all).toBeGreaterThan(1);
  await popup.fill('#search', 'nothing like it');
  await until(async () => (await popup.count('#recent li')) === 0, 'no call found');
  await popup.fill('#search', 'offer in May');
  await popup.select('#outcome', 'callerNotReached');
  await until(async () => (await popup.count('#recent li')) === 0, 'no such call among the lost ones');
  await popup.select('#outcome', 'answered');
  await until(async () => (await popup.count('#recent li')) === 1, 'the one answered call');

  await popup.click('#recent li summary');
  await popup.click('#recent li .play-recording');
  await until(
    // Firefox needs a sound device, which a machine without a screen may lack; the popup says so and offers a tab.
    () =>
      popup.evaluate<boolean>(
        `document.querySelector('#recent li audio')?.currentTime > 0 || !!document.querySelector('#recent li .problem')`,
      ),
    'the recording playing, or the reason why not',
  );
  await popup.click('#recent li .delete-call');
  const id = await popup.attribute('#recent li', 'data-id');
  await until(() => popup.count(`#delete-${id}-yes:enabled`), 'the question');
  expect(await axeViolations(popup)).toEqual([]);
  await confirmDestructive(popup, `delete-${id}`);
  await until(async () => (await popup.count('#recent li')) === 0, 'the call deleted');
  await popup.select('#outcome', '');
  await popup.fill('#search', '');
  await until(async () => (await popup.count('#recent li')) === all - 1, 'all other calls');
  await popup.close();
});

test('the side panel enables the site, lists its numbers with their context, calls one', async ({
  workstation,
  tab,
}) => {
  const popup = await openPopup(workstation);
  const press = (selector: string) => popup.evaluate(`document.querySelector('${selector}')?.click()`);
  await workstation.browser.allowHost('127.0.0.1');
  await tab.goto(`${workstation.sandbox.url}/crm/`);
  await tab.activate();
  await until(async () => (await popup.text('.site .host')) === '127.0.0.1', 'the site of the page');
  if ((await popup.attribute('#enable-site', 'aria-checked')) === 'false') await press('#enable-site');
  await until(async () => (await popup.attribute('#enable-site', 'aria-checked')) === 'true', 'the site on');
  await until(() => popup.count('#numbers-on-page li button'), 'the numbers on the page');
  await until(
    async () => (await popup.text('#numbers-on-page')).includes('+55 11 3350-4188'),
    'a number of the page in the list',
  );
  await callToItsEnd(workstation, popup, () => press('#numbers-on-page li button'));

  // An order number that reads as a telephone number: never here again, until the agent takes that back.
  const isListed = async () => (await popup.text('#numbers-on-page ul')).includes('+55 11 3350-4188');
  const isPainted = async () => (await paintedNumbers(tab)).some((number) => number.endsWith('3350-4188'));
  await until(isPainted, 'the mark');
  await press('.exclude-number[title*="+55 11 3350-4188"]');
  await until(async () => !(await isListed()) && !(await isPainted()), 'the number marked no longer');
  expect(await popup.text('#excluded')).toContain('+55 11 3350-4188 is no longer marked on 127.0.0.1.');
  expect(await axeViolations(popup, '#numbers-on-page')).toEqual([]);
  const options = await openOptions(workstation);
  expect(await options.text('#excluded-numbers li')).toContain('+55 11 3350-4188');
  await options.click('#excluded-numbers button');
  await until(async () => (await options.count('#excluded-numbers li')) === 0, 'the list empty');
  await options.close();
  await tab.activate();
  await until(async () => (await isListed()) && (await isPainted()), 'the number marked again');

  await press('#enable-site');
  await until(
    async () => (await popup.attribute('#enable-site', 'aria-checked')) === 'false',
    'the site off',
  );
  await until(() => popup.count('#scan-tab'), 'the offer to mark this tab once');
  await press('#scan-tab');
  await until(() => popup.count('#numbers-on-page li button'), 'the numbers of the tab marked once');
  await tab.goto(`${workstation.sandbox.url}/crm/?again`);
  await until(() => popup.count('#scan-tab'), 'the offer to mark the reloaded page');
  await popup.close();
});

test('the panel turns on the hosts in the frames of a page together, then those inside them @exhaustive', async ({
  workstation,
  tab,
}) => {
  await workstation.enableSite('127.0.0.1');
  const frame = (url: string) => `<iframe src="${url}" style="width:500px;height:200px"></iframe>`;
  const documents: Record<string, string> = {
    '/chat': html('<p>(48) 3322-4412</p>'),
    '/body': html('<p>(48) 3322-4413</p>'),
    '/counter': html(''),
  };
  const pages = await servePages(documents);
  const at = (host: string, path: string) => pages.url(path).replace('127.0.0.1', host);
  documents['/mail'] = html(`<p>(48) 3322-4411</p>${frame(at('other.test', '/body'))}`);
  documents['/'] = html(
    `<p>(48) 3322-4410</p>${frame(at('crm.test', '/mail'))}${frame(at('localhost', '/chat'))}
     <iframe src="${at('pbx.test', '/counter')}" width="1" height="1"></iframe>`,
  );
  const popup = await openPopup(workstation);
  await tab.goto(pages.url('/'));
  await tab.activate();
  const offered = () =>
    popup.evaluate<string[]>(
      `[...document.querySelectorAll('#frames-on-page li')].map((each) => each.innerText)`,
    );
  const listed = async (number: string) =>
    until(async () => (await popup.text('#numbers-on-page')).includes(number), `${number} in the list`);
  // A real click, without bringing the panel to the front: beside it the page is the active tab.
  const enable = async () =>
    popup.clickAt(
      await until(
        () =>
          popup.evaluate<Point | null>(`(() => { const button = document.querySelector('#enable-frames');
            button?.scrollIntoView({ block: 'center', behavior: 'instant' }); const box = button?.getBoundingClientRect();
            return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null; })()`),
        'the button for the frames',
      ),
    );

  await expect.poll(offered).toEqual(['crm.test', 'localhost']);
  for (const host of ['crm.test', 'localhost']) await workstation.browser.allowHost(host);
  await tab.activate();
  await enable();
  for (const number of ['3322-4411', '3322-4412']) await listed(number);
  await expect.poll(offered).toEqual(['other.test']);
  await workstation.browser.allowHost('other.test');
  await tab.activate();
  await enable();
  await listed('3322-4413');
  await expect.poll(offered).toEqual([]);
  expect(popup.errors()).toEqual([]);

  const options = await openOptions(workstation);
  const framesOf = (host: string) =>
    options.evaluate<string[]>(`[...document.querySelectorAll('#sites > li')]
      .filter((site) => site.querySelector('.host').innerText === ${JSON.stringify(host)})
      .flatMap((site) => [...site.querySelectorAll('.frames .host')].map((each) => each.innerText))`);
  await expect.poll(() => framesOf('127.0.0.1')).toEqual(['crm.test', 'localhost', 'other.test']);
  expect(await options.count('#sites .problem')).toBe(0);
  expect(await axeViolations(options, '#sites')).toEqual([]);
  await options.evaluate(`document.querySelector('[aria-label="Remove 127.0.0.1"]').click()`);
  await until(async () => (await options.count('#sites .frames')) === 0, 'the frames to go with their page');
  expect(await options.text('#sites')).not.toMatch(/crm\.test|localhost|other\.test/);
  for (const each of [options, popup]) await each.close();
  pages.close();
});

test('the panel lists the numbers of the current page, also when the previous page had as many @exhaustive', async ({
  workstation,
  tab,
}) => {
  await workstation.enableSite('127.0.0.1');
  const pages = await servePages({
    '/one': html('<p>(48) 3322-4401'),
    '/two': html('<p>(48) 3322-4402<p>Ana, ramal 2201'),
  });
  const popup = await openPopup(workstation);
  for (const [path, number] of [
    ['/one', '3322-4401'],
    ['/two', '3322-4402'],
  ] as const) {
    await tab.goto(pages.url(path));
    await tab.activate();
    await until(
      async () => (await popup.text('#numbers-on-page li .number')).includes(number),
      `the number of ${path}`,
    );
    expect(await popup.count('#numbers-on-page li')).toBe(1);
  }
  // No pattern of internal extensions is set.
  await until(() => popup.count('#extension-named'), 'the hint how extensions become numbers');
  expect(await popup.text('#extension-named')).toMatch(/“ramal 2201”.* _2XXX\./);
  await popup.evaluate("document.querySelector('#add-extensions').click()");
  const options = await until(async () => {
    for (const each of await workstation.browser.openTabs())
      if ((await each.url()).endsWith('#extensions')) return each;
    return undefined;
  }, 'the settings');
  await until(async () => (await focused(options)) === 'extensions', 'the field of the extensions');
  await options.close();
  await popup.close();
  pages.close();
});

test('a tel: link dials nothing before one click on our page, then once', async ({ workstation }) => {
  await callsFinished(workstation);
  const before = workstation.sandbox.calls.length;
  const page = await open(workstation, `call/index.html?u=${encodeURIComponent('tel:+55-11-3350-9001')}`);
  await until(async () => (await focused(page)) === 'call-button', 'the button');
  expect(await page.text('#call-number')).toBe('+55 11 3350-9001');
  expect(await page.text('main')).toContain(answered.to);
  expect(workstation.sandbox.calls.length).toBe(before);
  await until(async () => {
    if (await page.count('#live-call')) return true;
    if (await page.count('#call-button:not([aria-disabled=true])')) await page.press('Enter');
    return false;
  }, 'the live call');
  await until(
    async () => (await page.attribute('#live-call', 'data-state')) === 'disconnected',
    'the end of the call',
  );
  expect(workstation.sandbox.calls.length).toBe(before + 1);
  await page.close();

  const nonsense = await open(workstation, 'call/index.html?u=tel:javascript');
  await until(() => nonsense.count('#not-a-number'), 'the word that this is no number');
  expect(await nonsense.count('#call-button')).toBe(0);
  expect(await nonsense.count('#call-close')).toBe(1);
  await nonsense.close();
});

test('an invalid value is explained at its field beside a note of unsaved changes', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  await options.fill('#agent-timeout', '0');
  await until(
    async () => (await options.attribute('#agent-timeout', 'aria-invalid')) === 'true',
    'the mark at what is wrong',
  );
  expect(await options.text('#agent-timeout-notes')).toContain('1 to 600');
  await options.fill('#relay-url', 'http://pbx.lan:8787');
  await until(
    async () => (await options.text('#relay-url-notes')).includes('not encrypted'),
    'the reason at the address',
  );
  expect(await options.text('#unsaved-problems')).toContain('attention: 2');
  expect(await options.text('#first-problem')).toBe('Relay address');
  await options.click('#first-problem');
  await until(async () => (await focused(options)) === 'relay-url', 'the focus at the field named');
  await options.click('#agent-timeout');
  await options.click('#save');
  await until(
    async () => (await focused(options)) === 'relay-url',
    'the focus at the first field to correct',
  );
  expect(await options.count('#saved')).toBe(0);
  await options.click('#discard');
  await until(() => options.count('#discard-changes-yes'), 'the question');
  // A click in the place of the first one answers nothing: the pointer is still on the button that raised the question.
  expect(await idUnder(options, '#discard')).toBe('discard');
  await options.evaluate("document.querySelector('#discard-changes-yes').click()");
  expect(await focused(options)).toBe('discard-changes-no');
  expect(await valueIn(options, '#relay-url')).toBe('http://pbx.lan:8787');
  await confirmDestructive(options, 'discard-changes');
  await until(async () => (await options.count('#unsaved-problems')) === 0, 'what was typed to be gone');
  expect(await valueIn(options, '#relay-url')).toBe(workstation.relay.url);
  await options.close();
});

test('saving requests the permission, also before the browser has reported whether it is granted @exhaustive', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  await options.evaluate(`(() => {
    const { permissions } = globalThis.browser ?? chrome;
    globalThis.asked = [];
    permissions.contains = () => new Promise(() => {});
    permissions.request = ({ origins }) => { asked.push(origins); return new Promise(() => {}); };
  })()`);
  const save = async (address: string) => {
    await options.fill('#relay-url', address);
    await options.click('#save');
    await until(() => options.count('#saved'), 'the settings saved');
  };
  await save('https://relay.example');
  expect(await options.evaluate('asked')).toEqual([['*://relay.example/*']]);
  await options.reload();
  await save(workstation.relay.url);
  await options.close();
});

test('a site is shown as marked as soon as its permission is granted, however late @exhaustive', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  const site = (state: string) => ask(options, { type: 'page.setSite', host: 'late.test', state });
  await site('enabled');
  await until(() => options.count('#sites .problem'), 'the word that the browser does not allow it');
  // The permission is granted later: nothing is saved at that moment.
  await workstation.browser.allowHost('late.test');
  await options.evaluate(`(() => {
    const yes = document.createElement('button');
    yes.id = 'late-yes';
    yes.textContent = 'yes';
    yes.onclick = () => void (globalThis.browser ?? chrome).permissions.request({ origins: ['*://late.test/*'] });
    document.body.prepend(yes);
  })()`);
  await options.click('#late-yes');
  await until(async () => (await options.count('#sites .problem')) === 0, 'the site marked');
  await site('default');
  await options.close();
});

test('the dial plan can be tried before it is saved', async ({ workstation }) => {
  const options = await openOptions(workstation);
  await options.fill('#search-settings', 'dial');
  await until(() => options.count('#keyboard[hidden]'), 'what names Dialmark alone hidden');
  await options.fill('#search-settings', 'area code');
  await until(() => options.count('#safety[hidden]'), 'the other sections hidden');
  expect(await options.count('#numbers:not([hidden])')).toBe(1);
  await options.fill('#try-number', '(11) 3350-4160');
  await expect.poll(() => options.text('#try-digits')).toBe('1133504160');
  expect(await options.text('#try-result')).toContain('Brazil');
  await options.click('#add-rule');
  await until(
    async () => (await options.text('#rule-0-prefix-notes')).includes('neither a condition nor a change'),
    'the refusal of the empty rule',
  );
  await options.fill('#rule-0-note', 'outside line');
  await options.fill('#rule-0-prepend', '0');
  await expect.poll(() => options.text('#try-digits')).toBe('01133504160');
  expect(await options.text('#try-result')).toContain('rule 1: outside line');
  await options.fill('#try-number', '+49 30 22730027');
  const verdict = () => options.attribute('#try-result dd[data-verdict]', 'data-verdict');
  await expect.poll(verdict).toBe('confirm');
  await discard(options);
  await options.fill('#search-settings', '');
  await until(async () => (await options.count('#safety[hidden]')) === 0, 'all sections');
  expect(await options.text('#diagnostics')).toMatch(/^Dialmark \d.* · agent key saved · /);
  await options.close();
});

test('a settings file that cannot be used is refused with what was expected, changing nothing', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  const choose = (content: string) =>
    options.evaluate(`(() => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([${JSON.stringify(content)}], 'settings.json'));
      const field = document.querySelector('#import-settings');
      field.files = chosen.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
  await options.fill('#agent-from', '1207');
  const settings = { agent: { from: '1208', timeout: 0 } };
  for (const [content, expected] of [
    ['{"kind":', 'Choose a file that “Export settings” has saved.'],
    [JSON.stringify({ kind: 'dialmark-settings', settings }), 'Enter whole seconds from 1 to 600.'],
  ] as const) {
    await choose(content);
    await expect.poll(() => options.text('#import-result')).toContain(expected);
    expect(await options.evaluate(`document.querySelector('#agent-from').value`)).toBe('1207');
  }
  await discard(options);
  await options.close();
});

test('the field map says what it takes where a name would lose a field', async ({ workstation }) => {
  const options = await openOptions(workstation);
  await options.click('#mode-direct');
  await options.click('#direct-advanced > summary');
  await options.fill('#field-map', 'callid:billsec');
  await expect.poll(() => options.text('#direct-advanced .problem')).toContain('callid:id');
  await options.fill('#field-map', 'callid:external_id');
  await expect.poll(() => options.count('#field-map[aria-invalid=true]')).toBe(0);
  await discard(options);
  await options.close();
});

test('the connection test tries what is in the fields before one Save keeps it', async ({ workstation }) => {
  const { relay, key } = workstation;
  const forTwo = await relay.print('key', 'add', '--from', '1106,1107');
  const options = await openOptions(workstation);
  /** The cause of what fails, or `ok`. */
  const tested = async () => {
    await options.click('#test-connection');
    await until(
      async () => /ok|failed/.test((await options.attribute('#test-result', 'data-state')) ?? ''),
      'the result of the test',
    );
    return options.attribute('#test-result li', 'data-cause');
  };
  expect(await tested()).toBe('ok');
  await options.fill('#agent-key', 'dma_wrong');
  expect(await tested()).toBe('wrongKey');
  await options.fill('#agent-key', forTwo);
  expect(await tested()).toBe('otherExtension');
  await options.fill('#agent-from', '');
  expect(await tested()).toBe('chooseExtension');
  expect(await options.text('#test-result')).toContain('Enter your extension: 1106 or 1107');
  await discard(options);
  await until(async () => (await valueIn(options, '#agent-key')) === '', 'the key that was typed to be gone');
  expect(await valueIn(options, '#agent-from')).toBe(agent);

  // A saved key was given for the saved address, and goes to no other.
  const elsewhere = relay.url.replace('127.0.0.1', 'localhost');
  await options.fill('#relay-url', elsewhere);
  await workstation.browser.allowHost('localhost');
  expect(await tested()).toBe('otherAddress');
  await options.fill('#agent-key', key);
  await options.click('#save');
  await until(() => options.count('#saved'), 'address and key saved');
  expect(await valueIn(options, '#agent-key')).toBe('');
  expect(await tested()).toBe('ok');
  const { value } = await ask<SettingsView>(options, { type: 'page.settings' });
  expect(value.settings.connection.relayUrl).toBe(elsewhere);
  value.settings.connection.relayUrl = relay.url;
  await ask(options, { type: 'page.saveSettings', settings: value.settings });
  await ask(options, { type: 'page.setSecret', name: 'agentKey', value: key });
  await options.close();
});

test('the connection test says that a server answers where it redirects or has another path', async ({
  workstation,
}) => {
  const { relay, key } = workstation;
  const moved = await serveHttp(({ url }, response) =>
    response.writeHead(301, { location: relay.url + url }).end(),
  );
  const options = await openOptions(workstation);
  try {
    for (const [address, cause] of [
      [`http://127.0.0.1:${moved.port}`, 'notTheRelay'],
      [`${relay.url}/relay`, 'wrongPath'],
    ] as const) {
      await options.fill('#relay-url', address);
      await options.fill('#agent-key', key);
      await options.click('#test-connection');
      await until(() => options.count('#test-result li'), 'the result of the test');
      expect(await options.attribute('#test-result li', 'data-cause')).toBe(cause);
    }
    await discard(options);
  } finally {
    await options.close();
    await moved.close();
  }
});

test('the connection test names the certificate of a server that closes plain connections', async ({
  workstation,
}) => {
  const folder = await temporaryFolder();
  const { certificate, key } = await makeCertificate(folder.path, 'localhost');
  const secure = createServer({ cert: await readFile(certificate), key: await readFile(key) });
  await once(secure.listen(0, '127.0.0.1'), 'listening');
  const options = await openOptions(workstation);
  try {
    await options.fill('#relay-url', `https://127.0.0.1:${(secure.address() as AddressInfo).port}`);
    await options.fill('#agent-key', workstation.key);
    await options.click('#test-connection');
    await until(() => options.count('#test-result li'), 'the result of the test');
    expect(await options.text('#test-result')).toContain('certificate');
    await discard(options);
  } finally {
    await options.close();
    secure.close();
    await folder.remove();
  }
});

test('no page shows a stored key', async ({ workstation }) => {
  for (const page of ['options/index.html', 'popup/index.html']) {
    const tab = await open(workstation, page);
    await until(() => tab.count('#save, #dial-input'), page);
    const everything = await tab.evaluate<string>(
      `(async () => document.documentElement.outerHTML
        + [...document.querySelectorAll('input')].map((field) => field.value).join()
        + JSON.stringify(await chrome.runtime.sendMessage({ type: 'page.settings' }))
        + JSON.stringify(await chrome.runtime.sendMessage({ type: 'page.state' }))
        + JSON.stringify(await chrome.storage.local.get()) + JSON.stringify(await chrome.storage.session.get()))()`,
    );
    expect(everything).toContain(workstation.relay.url);
    expect(everything).not.toContain(workstation.key);
    await tab.close();
  }
});

test('language or theme changes on all open pages when it is saved', async ({ workstation }) => {
  const popup = await openPopup(workstation);
  const options = await openOptions(workstation);
  const lookLike = async (language: string, theme: string) => {
    await options.select('#language', language);
    await options.select('#theme', theme);
    await options.click('#save');
    await until(() => options.count('#saved'), 'the settings saved');
  };
  await lookLike('pt_BR', 'dark');
  await until(async () => (await popup.text('#dial-button')) === 'Ligar', 'the popup in Portuguese');
  expect(await popup.attribute('html', 'lang')).toBe('pt-BR');
  expect(await popup.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  expect(await options.text('#save')).toBe('Salvar');
  await lookLike('', 'auto');
  await until(async () => (await popup.text('#dial-button')) === 'Call', 'the popup in English');
  await options.close();
  await popup.close();
});

const pages = {
  options: 'options/index.html',
  popup: 'popup/index.html',
  call: 'call/index.html?u=1133509001',
  welcome: 'welcome/index.html',
  privacy: 'privacy/index.html',
  status: '/status',
};

for (const [name, path] of Object.entries(pages)) {
  const tag = name === 'options' ? '' : ' @exhaustive';
  test(`axe finds nothing on the ${name} page, in light, dark or forced colours${tag}`, async ({
    workstation,
  }) => {
    const { browser } = workstation;
    const ofRelay = name === 'status';
    const tab = await (ofRelay ? browser.newTab(workstation.relay.url + path) : open(workstation, path));
    await until(() => tab.count(ofRelay ? 'dd' : 'h1:not(.visually-hidden), h2'), `the ${name} page`);
    if (name === 'options') {
      // Everything that can be on the page: direct mode, a rule, a refused value.
      await tab.click('#mode-direct');
      await tab.click('#add-rule');
      await tab.click('#rule-0-prepend');
      await tab.click('.rule summary');
      await tab.click('#direct-advanced > summary');
      await tab.click('#office-hours');
      await tab.fill('#try-number', '(11) 3350-4160');
    }
    if (name === 'popup') {
      await dialToItsEnd(workstation, tab, answered);
      await tab.click('#recent li summary');
      await tab.click('.choices summary');
      await tab.fill('#dial-input', '+49 30 22730027');
      await tab.press('Enter');
      await until(() => tab.count('#confirm'), 'the question');
    }
    for (const scheme of ['light', 'dark'] as const) {
      await browser.setColorScheme(scheme);
      await until(
        () => tab.evaluate<boolean>(`matchMedia('(prefers-color-scheme: ${scheme})').matches`),
        scheme,
      );
      expect(await axeViolations(tab), scheme).toEqual([]);
    }
    await browser.setColorScheme('light');
    if (browser.name === 'chromium') {
      const { page } = tab as ChromiumTab;
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await axeViolations(tab), 'forced colours').toEqual([]);
      await page.emulateMedia({ forcedColors: null });
    }
    await tab.close();
  });
}

async function forgetHistory(options: Tab, word: string): Promise<void> {
  await options.click('#forget-history');
  await confirmDestructive(options, 'forget');
  await until(async () => (await options.text('#history-forgotten')) === word, `the word "${word}"`);
}

test('clearing the history asks once, then also removes calls whose end is still awaited', async ({
  workstation,
}) => {
  const popup = await openPopup(workstation);
  await dialToItsEnd(workstation, popup, unanswerable);
  expect(await popup.attribute('#recent li', 'data-state')).toBe('unknown');
  await dialToItsEnd(workstation, popup, answered);
  const options = await openOptions(workstation);
  await options.click('#forget-history');
  // The pointer is still on the button that raised the question, and a click at once was meant for something else.
  expect(await idUnder(options, '#forget-history')).toBe('forget-history');
  await options.evaluate("document.querySelector('#forget-yes').click()");
  expect(await options.count('#forget-yes')).toBe(1);
  expect(await focused(options)).toBe('forget-no');
  expect(await popup.count('#recent li')).toBeGreaterThan(1);
  await confirmDestructive(options, 'forget');
  await until(
    async () => (await options.text('#history-forgotten'))?.startsWith('Removed.'),
    'the word that the calls are removed',
  );
  await until(async () => (await popup.count('#recent li')) === 0, 'no recent calls');
  await options.close();
  await popup.close();
});

test('clearing the history keeps a call in progress, with a sentence about it @exhaustive', async ({
  workstation,
}) => {
  const popup = await openPopup(workstation);
  const options = await openOptions(workstation);
  const state = () => popup.attribute('#recent li', 'data-state');
  const before = workstation.sandbox.calls.length;
  await callsFinished(workstation);
  await popup.fill('#dial-input', long.typed);
  await popup.press('Enter');
  await until(async () => (await state()) === 'callingCaller', 'the call');
  await forgetHistory(options, 'Removed. A call in progress stays; remove it after it ends.');
  await until(async () => (await popup.count('#recent li')) === 1, 'no other recent calls');
  await hangUp(workstation, before);
  await until(async () => (await state()) === 'disconnected', 'the end of the call');
  await forgetHistory(options, 'Removed. A call in progress stays; remove it after it ends.');
  await until(async () => (await popup.count('#recent li')) === 0, 'no recent calls');
  await options.close();
  await popup.close();
});

test('Tab reaches every control of the options page; each has an accessible name', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  await options.evaluate(
    '(() => { document.body.focus(); globalThis.lastStop = document.activeElement; })()',
  );
  const stops = new Set<string>();
  const nameless: string[] = [];
  for (let step = 0; step < 150; step++) {
    await options.press('Tab');
    const stop = await until(
      () =>
        options.evaluate<{ key: string; name: string } | 'outside' | null>(`(() => {
      const element = document.activeElement;
      if (element === globalThis.lastStop) return null;
      globalThis.lastStop = element;
      if (!element || element === document.body) return 'outside';
      const name = element.getAttribute('aria-label') || [...(element.labels ?? [])].map((label) => label.textContent).join()
        || element.textContent || element.title;
      return { key: element.id || element.outerHTML.slice(0, 120), name: (name ?? '').trim() };
    })()`),
      `the stop after ${[...stops].at(-1)}`,
    );
    if (stop === 'outside' || stops.has(stop.key)) break;
    stops.add(stop.key);
    if (stop.name === '') nameless.push(stop.key);
  }
  expect(nameless).toEqual([]);
  for (const id of [
    'mode-relay',
    'relay-url',
    'agent-key',
    'country',
    'site-host',
    'theme',
    'rebind',
    'save',
  ])
    expect([...stops]).toContain(id);
  await options.close();
});
