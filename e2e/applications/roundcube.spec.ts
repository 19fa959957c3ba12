/** Roundcube as an agent uses it for customers' mail: reading, moving and receiving mails, and its contacts. */
import { ensureApplicationPackages } from '../../testing/applications/application-packages.ts';
import { mails } from '../../testing/applications/mails.ts';
import { callable, people } from '../../testing/applications/people.ts';
import { type Roundcube, startRoundcube } from '../../testing/applications/roundcube.ts';
import type { Point, Tab } from '../../testing/browsers/browser.ts';
import { Cleanup } from '../../testing/cleanup.ts';
import { ownPage, resetExtension } from '../../testing/extension/ask-background.ts';
import { clickNumber, onlyThisDials } from '../../testing/extension/marked-numbers.ts';
import { until } from '../../testing/until.ts';
import { expect, test } from '../fixtures.ts';
import { expectMarked, expectNoOwnErrors } from './application.ts';

const cleanup = new Cleanup();
let roundcube: Roundcube;
let own: Tab;
/** The same application with us and, under another name, without. */
let withUs: Tab;
let withoutUs: Tab;

test.beforeAll(async ({ workstation }) => {
  roundcube = await startRoundcube(await ensureApplicationPackages(), cleanup);
  await resetExtension(workstation);
  await workstation.setUp();
  await workstation.enableSite('127.0.0.1');
  own = await ownPage(workstation);
  withoutUs = await workstation.browser.newTab();
  await roundcube.logIn(withoutUs, 'localhost');
  withUs = await workstation.browser.newTab();
  await roundcube.logIn(withUs, '127.0.0.1');
});
test.afterAll(async () => {
  for (const tab of [own, withUs, withoutUs]) await tab?.close();
  await cleanup.run();
});

/** A mail that was moved stays in the tree, hidden. */
const subjects = (tab: Tab) =>
  tab.evaluate<string[]>(
    `[...document.querySelectorAll('#messagelist tbody .subject a')].filter((link) => link.checkVisibility()).map((link) => link.innerText.trim()).sort()`,
  );
const openList = async (tab: Tab, host: string) => {
  await tab.goto(roundcube.url('_task=mail&_mbox=INBOX', host));
  await tab.activate();
  await until(async () => (await subjects(tab)).length > 0, 'the mails');
};

const atRest = (tab: Tab, what: string) =>
  until(() => tab.evaluate<boolean>('!rcmail.busy && jQuery.active === 0'), what);
/** The list's own "Refresh", from a page at rest to its answer. */
const checkMail = async (tab: Tab) => {
  await atRest(tab, 'the page at rest');
  await tab.evaluate(`void rcmail.command('checkmail')`);
  await atRest(tab, 'the answer to Refresh');
};

test('the numbers of a mail are marked, plain or HTML, quoted or in its signature', async ({
  workstation,
}) => {
  for (const [index, { wanted }] of mails.entries()) {
    for (const [tab, host] of [
      [withoutUs, 'localhost'],
      [withUs, '127.0.0.1'],
    ] as const)
      await tab.goto(roundcube.url(`_task=mail&_mbox=INBOX&_uid=${index + 1}&_action=show`, host));
    await expectMarked(own, roundcube.url(''), wanted);
  }
  await withUs.goto(roundcube.url('_task=mail&_mbox=INBOX&_uid=1&_action=show'));
  const before = workstation.sandbox.calls.length;
  expect(
    await onlyThisDials(workstation, before, () => clickNumber(withUs, callable.text), callable.to),
  ).toEqual([callable.to]);
  expectNoOwnErrors(withUs, withoutUs);
});

test('the list opens a mail beside it, takes its keys, shows new mail', async () => {
  await openList(withoutUs, 'localhost');
  await openList(withUs, '127.0.0.1');
  const all = mails.map(({ subject }) => subject).toSorted();
  expect(await subjects(withUs)).toEqual(all);
  await expectMarked(own, roundcube.url(''), []);
  await withUs.click('#messagelist tbody tr:first-child .subject a');
  const first = await until(
    () => withUs.evaluate<number | null>(`rcmail.message_list.get_single_selection()`),
    'the selected mail',
  );
  await expectMarked(own, roundcube.url(''), mails[first - 1]!.wanted);
  // The list's own keys.
  await withUs.press('ArrowDown');
  const second = await until(async () => {
    const uid = await withUs.evaluate<number>(`rcmail.message_list.get_single_selection()`);
    return uid !== first && uid;
  }, 'the next mail, by the arrow key');
  await expectMarked(own, roundcube.url(''), mails[second - 1]!.wanted);

  const late = { ...mails[0]!, subject: `Retorno sobre ${people[1]!.order}` };
  // Roundcube compares with what its session saw last, and of requests side by side the later write wins.
  for (const tab of [withoutUs, withUs]) await checkMail(tab);
  await roundcube.deliver(late);
  for (const tab of [withoutUs, withUs]) {
    await tab.activate();
    await expect
      .poll(async () => {
        await checkMail(tab);
        return subjects(tab);
      })
      .toEqual([...all, late.subject].toSorted());
  }
  expectNoOwnErrors(withUs, withoutUs);
});

test('a mail is dragged into a folder', async () => {
  await openList(withUs, '127.0.0.1');
  await atRest(withUs, 'the page at rest');
  const middle = (selector: string) =>
    withUs.evaluate<Point>(`(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 }; })()`);
  const before = await subjects(withUs);
  const from = await middle('#messagelist tbody tr:first-child .subject');
  const moved = await withUs.text('#messagelist tbody tr:first-child .subject a');
  const to = await middle('#mailboxlist li:nth-child(2) a');
  await withUs.gesture([{ move: from }, { down: 0 }, { move: { x: from.x - 10, y: from.y + 6 } }]);
  await until(() => withUs.evaluate<boolean>('rcmail.drag_active === true'), 'the mail being dragged');
  await withUs.gesture([
    { move: { x: (from.x + to.x) / 2, y: to.y } },
    { move: { x: to.x + 10, y: to.y + 4 } },
    { move: to },
  ]);
  await until(() => withUs.count('#mailboxlist .droptarget'), 'the folder that takes it');
  // A press held for 200 ms before it moved has opened the mail: while that loads, a drop does nothing, with us or without.
  await atRest(withUs, 'the mail that the press opened');
  await withUs.gesture([{ up: 0 }]);
  await expect.poll(() => subjects(withUs)).toEqual(before.filter((subject) => subject !== moved.trim()));
  expectNoOwnErrors(withUs, withoutUs);
});

test('a contact is called, edited, then saved with every value as it was', async ({ workstation }) => {
  const contact = '_task=addressbook&_source=0&_cid=1';
  await withUs.goto(roundcube.url(`${contact}&_action=show`));
  await withUs.activate();
  await expectMarked(own, roundcube.url(''), [callable.text]);
  const before = workstation.sandbox.calls.length;
  expect(
    await onlyThisDials(workstation, before, () => clickNumber(withUs, callable.text), callable.to),
  ).toEqual([callable.to]);

  const saveAs = async (tab: Tab, host: string, firstName: string) => {
    await tab.goto(roundcube.url(`${contact}&_action=edit`, host));
    await tab.activate();
    await tab.fill('input[name=_firstname]', firstName);
    await tab.click('button.submit');
    await until(() => roundcube.card(0).includes(firstName), 'the saved contact');
    return roundcube
      .card(0)
      .replaceAll(firstName, '')
      .replace(/^REV:.*$/m, '');
  };
  // Roundcube writes a card in its own way: what it saves without us is what it has to save with us.
  const without = await saveAs(withoutUs, 'localhost', 'Marisa');
  expect(await saveAs(withUs, '127.0.0.1', 'Mariana')).toBe(without);
  expect(without).toContain(callable.text);
  expectNoOwnErrors(withUs, withoutUs);
});
