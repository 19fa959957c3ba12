/** Directus as a team's own CRM: seven views of its people, and a form that is saved. */
import { type Directus, startDirectus } from '../../testing/applications/directus.ts';
import { shownPhones, type View } from '../../testing/applications/directus-people.ts';
import { callable } from '../../testing/applications/people.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import { Cleanup } from '../../testing/cleanup.ts';
import { ownPage, resetExtension } from '../../testing/extension/ask-background.ts';
import { clickNumber, onlyThisDials } from '../../testing/extension/marked-numbers.ts';
import { expect, test } from '../fixtures.ts';
import { expectMarked, expectNoOwnErrors } from './application.ts';

const cleanup = new Cleanup();
let directus: Directus;
let own: Tab;
/** The same application with us and, under another name, without. */
let withUs: Tab;
let withoutUs: Tab;

test.beforeAll(async ({ workstation }) => {
  // It makes 90 tables at its first start.
  test.setTimeout(600_000);
  directus = await startDirectus(cleanup);
  await resetExtension(workstation);
  await workstation.setUp();
  await workstation.enableSite('127.0.0.1');
  own = await ownPage(workstation);
  withoutUs = await workstation.browser.newTab();
  await directus.logIn(withoutUs, 'localhost');
  withUs = await workstation.browser.newTab();
  await directus.logIn(withUs);
});
test.afterAll(async () => {
  for (const tab of [own, withUs, withoutUs]) await tab?.close();
  await cleanup.run();
});

for (const view of Object.keys(shownPhones) as View[])
  test(`the numbers of its ${view} are marked, with no id among them`, async () => {
    await withoutUs.goto(directus.url(view, 'localhost'));
    await withUs.goto(directus.url(view));
    await withUs.activate();
    await expectMarked(own, directus.url(view), shownPhones[view]);
    expectNoOwnErrors(withUs, withoutUs);
  });

test('a number of its table is dialled', async ({ workstation }) => {
  await withUs.goto(directus.url('table'));
  await withUs.activate();
  await expectMarked(own, directus.url('table'), shownPhones.table);
  const before = workstation.sandbox.calls.length;
  expect(
    await onlyThisDials(workstation, before, () => clickNumber(withUs, callable.text), callable.to),
  ).toEqual([callable.to]);
});
