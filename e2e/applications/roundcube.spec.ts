/** Roundcube as an agent uses it for customers' mail: reading, moving and receiving mails, and its contacts. */
import { ensureApplicationPackages } from '../../testing/applications/application-packages.ts';
import { mails } from '../../testing/applications/mails.ts';
import { callable, people } from '../../testing/applications/people.ts';
import { startRoundcube } from '../../testing/applications/roundcube.ts';
import type { Point, Tab } from '../../testing/browsers/browser.ts';
import { clickNumber } from '../../testing/extension/marked-numbers.ts';
import { until } from '../../testing/until.ts';
import { expect, test } from '../fixtures.ts';
import { expectMarked, expectNoOwnErrors, openApplication } from './application.ts';

const opened = openApplication(async (cleanup) => startRoundcube(await ensureApplicationPackages(), cleanup));

/** A mail that was moved stays in the tree, hidden. */
const subjects = (tab: Tab) =>
  tab.evaluate<string[]>(
    `[...document.querySelectorAll('#messagelist tbody .subject a')].filter((link) => link.checkVisibility()).map((link) => link.innerText.trim()).sort()`,
  );
const openList = async (tab: Tab, host: string) => {
  await tab.goto(opened.application.url('_task=mail&_mbox=INBOX', host));
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

test('the numbers of a mail are marked, plain or HTML, quoted or in its signature', async ({ calls }) => {
  for (const [index, { wanted }] of mails.entries()) {
    for (const [tab, host] of [
      [opened.withoutUs, 'localhost'],
      [opened.withUs, '127.0.0.1'],
    ] as const)
      await tab.goto(opened.application.url(`_task=mail&_mbox=INBOX&_uid=${index + 1}&_action=show`, host));
    await expectMarked(opened.own, opened.application.url(''), wanted);
  }
  await opened.withUs.goto(opened.application.url('_task=mail&_mbox=INBOX&_uid=1&_action=show'));
  await calls.expectOnly(() => clickNumber(opened.withUs, callable.text), callable.to);
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('the list opens a mail beside it, takes its keys, shows new mail', async () => {
  await openList(opened.withoutUs, 'localhost');
  await openList(opened.withUs, '127.0.0.1');
  const all = mails.map(({ subject }) => subject).toSorted();
  expect(await subjects(opened.withUs)).toEqual(all);
  await expectMarked(opened.own, opened.application.url(''), []);
  await opened.withUs.click('#messagelist tbody tr:first-child .subject a');
  const first = await until(
    () => opened.withUs.evaluate<number | null>(`rcmail.message_list.get_single_selection()`),
    'the selected mail',
  );
  await expectMarked(opened.own, opened.application.url(''), mails[first - 1]!.wanted);
  // The list's own keys.
  await opened.withUs.press('ArrowDown');
  const second = await until(async () => {
    const uid = await opened.withUs.evaluate<number>(`rcmail.message_list.get_single_selection()`);
    return uid !== first && uid;
  }, 'the next mail, by the arrow key');
  await expectMarked(opened.own, opened.application.url(''), mails[second - 1]!.wanted);

  const late = { ...mails[0]!, subject: `Retorno sobre ${people[1]!.order}` };
  // Roundcube compares with what its session saw last, and of requests side by side the later write wins.
  for (const tab of [opened.withoutUs, opened.withUs]) await checkMail(tab);
  await opened.application.deliver(late);
  for (const tab of [opened.withoutUs, opened.withUs]) {
    await tab.activate();
    await expect
      .poll(async () => {
        await checkMail(tab);
        return subjects(tab);
      })
      .toEqual([...all, late.subject].toSorted());
  }
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('a mail is dragged into a folder', async () => {
  await openList(opened.withUs, '127.0.0.1');
  await atRest(opened.withUs, 'the page at rest');
  const middle = (selector: string) =>
    opened.withUs.evaluate<Point>(`(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 }; })()`);
  const before = await subjects(opened.withUs);
  const from = await middle('#messagelist tbody tr:first-child .subject');
  const moved = await opened.withUs.text('#messagelist tbody tr:first-child .subject a');
  const to = await middle('#mailboxlist li:nth-child(2) a');
  await opened.withUs.gesture([{ move: from }, { down: 0 }, { move: { x: from.x - 10, y: from.y + 6 } }]);
  await until(() => opened.withUs.evaluate<boolean>('rcmail.drag_active === true'), 'the mail being dragged');
  await opened.withUs.gesture([
    { move: { x: (from.x + to.x) / 2, y: to.y } },
    { move: { x: to.x + 10, y: to.y + 4 } },
    { move: to },
  ]);
  await until(() => opened.withUs.count('#mailboxlist .droptarget'), 'the folder that takes it');
  // A press held for 200 ms before it moved has opened the mail: while that loads, a drop does nothing, with us or without.
  await atRest(opened.withUs, 'the mail that the press opened');
  await opened.withUs.gesture([{ up: 0 }]);
  await expect
    .poll(() => subjects(opened.withUs))
    .toEqual(before.filter((subject) => subject !== moved.trim()));
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('a contact is called, edited, then saved with every value as it was', async ({ calls }) => {
  const contact = '_task=addressbook&_source=0&_cid=1';
  await opened.withUs.goto(opened.application.url(`${contact}&_action=show`));
  await opened.withUs.activate();
  await expectMarked(opened.own, opened.application.url(''), [callable.text]);
  await calls.expectOnly(() => clickNumber(opened.withUs, callable.text), callable.to);

  const saveAs = async (tab: Tab, host: string, firstName: string) => {
    await tab.goto(opened.application.url(`${contact}&_action=edit`, host));
    await tab.activate();
    await tab.fill('input[name=_firstname]', firstName);
    await tab.click('button.submit');
    await until(() => opened.application.card(0).includes(firstName), 'the saved contact');
    return opened.application
      .card(0)
      .replaceAll(firstName, '')
      .replace(/^REV:.*$/m, '');
  };
  // Roundcube writes a card in its own way: what it saves without us is what it has to save with us.
  const without = await saveAs(opened.withoutUs, 'localhost', 'Marisa');
  expect(await saveAs(opened.withUs, '127.0.0.1', 'Mariana')).toBe(without);
  expect(without).toContain(callable.text);
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});
