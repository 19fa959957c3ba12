/** Request Tracker as a helpdesk uses it: reading tickets, its keys, editing a ticket. */
import { ensureApplicationPackages } from '../../testing/applications/application-packages.ts';
import { mails } from '../../testing/applications/mails.ts';
import { callable, people } from '../../testing/applications/people.ts';
import { startRequestTracker } from '../../testing/applications/request-tracker.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import { clickNumber, hoverText } from '../../testing/extension/marked-numbers.ts';
import { until } from '../../testing/until.ts';
import { expect, test } from '../fixtures.ts';
import { expectMarked, expectNoOwnErrors, openApplication } from './application.ts';

const opened = openApplication(async (cleanup) =>
  startRequestTracker(await ensureApplicationPackages(), cleanup),
);

/** Opens a page here and, without us, under another name. */
const openBoth = async (page: string) => {
  await opened.withoutUs.goto(opened.application.url(page, 'localhost'));
  await opened.withUs.goto(opened.application.url(page));
  await opened.withUs.activate();
};

test('the numbers of a ticket are marked in its fields as in its history', async ({ calls }) => {
  await openBoth('/Ticket/Display.html?id=2');
  await expectMarked(opened.own, opened.application.url(''), [people[1]!.phone, ...mails[1]!.wanted]);
  // A quote is folded away until it is asked for: what is not shown is not marked.
  await openBoth('/Ticket/Display.html?id=1');
  await expectMarked(opened.own, opened.application.url(''), [callable.text, people[1]!.phone]);
  await opened.withUs.click('.message-stanza-folder');
  await expectMarked(opened.own, opened.application.url(''), mails[0]!.wanted);
  await calls.expectOnly(() => clickNumber(opened.withUs, callable.text), callable.to);
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('the keys of the application work with the pointer on a number', async ({ calls }) => {
  await openBoth('/Ticket/Display.html?id=1');
  await hoverText(opened.withUs, callable.text);
  await opened.withUs.press('/');
  await until(
    () => opened.withUs.evaluate<boolean>(`document.activeElement.name === 'q'`),
    'the search field, by its key',
  );
  calls.expectNone();
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('a selected number is copied as without us', async ({ calls }) => {
  const dragAndCopy = async (tab: Tab) => {
    await tab.activate();
    const { x, y } = await tab.pointOfText(callable.text);
    await tab.evaluate(
      `void addEventListener('copy', () => { window.copied = String(getSelection()); }, { once: true })`,
    );
    await tab.gesture([
      { move: { x: x - 60, y } },
      { down: 0 },
      { move: { x, y } },
      { move: { x: x + 60, y } },
      { up: 0 },
    ]);
    await tab.press('Control+c');
    return until(() => tab.evaluate<string>(`window.copied ?? ''`), 'the copied text');
  };
  await openBoth('/Ticket/Display.html?id=1');
  const copied = await dragAndCopy(opened.withoutUs);
  expect(copied).toMatch(/\d/);
  await hoverText(opened.withUs, callable.text);
  expect(await dragAndCopy(opened.withUs)).toBe(copied);
  calls.expectNone();
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('the list of tickets sorts without marks on its order numbers', async () => {
  const query = `Query=${encodeURIComponent('id > 0')}&Format=${encodeURIComponent("'__id__','__Subject__','__CustomField.{Telefone}__','__CustomField.{Contrato}__','__LastUpdated__'")}`;
  await openBoth(`/Search/Results.html?${query}`);
  const phones = mails.map((_, index) => people[index]!.phone);
  await expectMarked(opened.own, opened.application.url(''), phones);
  const url = await opened.withUs.url();
  await opened.withUs.click('th.collection-as-table a');
  await until(async () => (await opened.withUs.url().catch(() => url)) !== url, 'the list in another order');
  await expectMarked(opened.own, opened.application.url(''), phones);
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});

test('a ticket is edited, then saved with every value as it was', async () => {
  await openBoth('/Ticket/Modify.html?id=1');
  const values = () =>
    opened.withUs.evaluate<
      Record<string, string>
    >(`Object.fromEntries([...document.querySelector('form[name=TicketModify]').elements]
      .filter(({ name, type }) => name && type !== 'submit' && !/Token|Subject$/.test(name)).map(({ name, value }) => [name, value]))`);
  const before = await values();
  expect(Object.values(before)).toContain(people[0]!.phone);
  await opened.withUs.fill('form[name=TicketModify] input[name=Subject]', 'Retorno');
  await opened.withUs.click('form[name=TicketModify] input[type=submit]');
  await until(
    () =>
      opened.withUs
        .evaluate<boolean>(`document.readyState === 'complete' && document.title.includes('Retorno')`)
        .catch(() => false),
    'the saved ticket',
  );
  expect(await values()).toEqual(before);
  expectNoOwnErrors(opened.withUs, opened.withoutUs);
});
