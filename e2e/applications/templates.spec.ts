/** AdminLTE's and Tabler's pages: a live table, a board and cards, as many a CRM is built from. */
import { ensureApplicationPackages } from '../../testing/applications/application-packages.ts';
import { callable, people, phones } from '../../testing/applications/people.ts';
import { serveTemplates } from '../../testing/applications/templates.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import { ownPage, resetExtension } from '../../testing/extension/ask-background.ts';
import { clickNumber } from '../../testing/extension/marked-numbers.ts';
import { until } from '../../testing/until.ts';
import { expect, test } from '../fixtures.ts';
import { expectMarked, expectNoOwnErrors } from './application.ts';

const table = 'admin-lte@4.0.0/dist/tables/data.html';
const board = 'admin-lte@4.0.0/dist/pages/kanban.html';
const cards = '@tabler/preview@1.2.0/dist/users.html';

let site: Awaited<ReturnType<typeof serveTemplates>>;
let own: Tab;

test.beforeAll(async ({ workstation }) => {
  site = await serveTemplates(await ensureApplicationPackages());
  await resetExtension(workstation);
  await workstation.setUp();
  await workstation.enableSite('127.0.0.1');
  own = await ownPage(workstation);
});
test.afterAll(() => site.close());

const names = (tab: Tab) =>
  tab.evaluate<string[]>(
    `[...document.querySelectorAll('.tabulator-row [tabulator-field=name]')].map((cell) => cell.innerText)`,
  );

test("AdminLTE's live table sorts, filters, edits with every number in it marked", async ({
  calls,
  browserUnderTest,
  tab,
}) => {
  const without = await browserUnderTest.newTab();
  const byName = people.map(({ name }) => name).toSorted();
  for (const [each, host] of [
    [without, 'localhost'],
    [tab, '127.0.0.1'],
  ] as const) {
    await each.goto(site.url(table, host));
    await each.activate();
    await until(async () => (await names(each)).length === people.length, 'the rows');
    if (each === tab) await expectMarked(own, site.url(''), phones);
    await each.click('.tabulator-col[tabulator-field=name] .tabulator-col-title');
    await expect.poll(() => names(each)).toEqual(byName);
    if (each === tab) await expectMarked(own, site.url(''), phones);
    await each.fill('.tabulator-col[tabulator-field=name] input', 'Anke');
    await expect.poll(() => names(each)).toEqual(['Anke Brandt']);
    if (each === tab) await expectMarked(own, site.url(''), [people[2]!.phone]);
    await each.fill('.tabulator-col[tabulator-field=name] input', '');
    await expect.poll(() => names(each)).toEqual(byName);
    await each.click('.tabulator-row [tabulator-field=order]');
    await each.fill('.tabulator-row [tabulator-field=order] input', '4500099999');
    await each.press('Enter');
    await until(
      async () => (await each.text('.tabulator-row [tabulator-field=order]')) === '4500099999',
      'the value that was edited',
    );
    expect(
      await each.evaluate(
        'window.people.map(({ name, phone, taxId, since }) => ({ name, phone, taxId, since }))',
      ),
    ).toEqual(people.map(({ name, phone, taxId, since }) => ({ name, phone, taxId, since })));
  }
  await expectMarked(own, site.url(''), phones);
  await calls.expectOnly(() => clickNumber(tab, callable.text), callable.to);
  expectNoOwnErrors(tab, without);
  await without.close();
});

test("AdminLTE's board lets a card be dragged by its number", async ({ calls, browserUnderTest, tab }) => {
  const without = await browserUnderTest.newTab();
  const lane = (each: Tab) =>
    each.evaluate<string | undefined>(`[...document.querySelectorAll('.kanban-cards')]
      .find((lane) => lane.innerText.includes(${JSON.stringify(callable.text)}))?.dataset.laneId`);
  for (const [each, host] of [
    [without, 'localhost'],
    [tab, '127.0.0.1'],
  ] as const) {
    await each.goto(site.url(board, host));
    await each.activate();
    if (each === tab) await expectMarked(own, site.url(''), [callable.text]);
    expect(await lane(each)).toBe('in-progress');
    const from = await each.pointOfText(callable.text);
    const to = await each.evaluate<{ x: number; y: number }>(
      `(() => { const { x, y, width } = document.querySelector('.kanban-cards[data-lane-id=todo]').getBoundingClientRect();
        return { x: x + width / 2, y: y + 20 }; })()`,
    );
    await each.gesture([
      { move: from },
      { down: 0 },
      { move: { x: from.x - 8, y: from.y + 4 } },
      { waitMs: 100 },
      { move: { x: to.x + 20, y: to.y + 8 } },
      { waitMs: 100 },
      { move: to },
      { waitMs: 100 },
      { up: 0 },
    ]);
    await expect.poll(() => lane(each)).toBe('todo');
  }
  await expectMarked(own, site.url(''), [callable.text]);
  calls.expectNone();
  expectNoOwnErrors(tab, without);
  await without.close();
});

test("Tabler's menus open beside cards whose numbers are marked", async ({
  calls,
  browserUnderTest,
  tab,
}) => {
  const without = await browserUnderTest.newTab();
  for (const [each, host] of [
    [without, 'localhost'],
    [tab, '127.0.0.1'],
  ] as const) {
    await each.goto(site.url(cards, host));
    await each.activate();
    await each.click('.nav-item.dropdown > .dropdown-toggle');
    await until(() => each.count('.nav-item.dropdown > .dropdown-menu.show'), 'the menu');
    await each.press('Escape');
    await until(async () => (await each.count('.dropdown-menu.show')) === 0, 'the menu to close');
  }
  await expectMarked(own, site.url(''), phones);
  await calls.expectOnly(() => clickNumber(tab, callable.text), callable.to);
  expectNoOwnErrors(tab, without);
  await without.close();
});
