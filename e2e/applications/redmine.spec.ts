/** Redmine as a helpdesk uses it: seven views of its issues and pages. */
import { callable } from '../../testing/applications/people.ts';
import {
  type Redmine,
  shownPhones,
  startRedmineWithPeople,
  type View,
} from '../../testing/applications/redmine.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import { Cleanup } from '../../testing/cleanup.ts';
import { ownPage, resetExtension } from '../../testing/extension/ask-background.ts';
import { clickNumber, onlyThisDials } from '../../testing/extension/marked-numbers.ts';
import { expect, test } from '../fixtures.ts';
import { expectMarked, expectNoOwnErrors } from './application.ts';

const cleanup = new Cleanup();
let redmine: Redmine;
let own: Tab;
/** The same application with us and, under another name, without. */
let withUs: Tab;
let withoutUs: Tab;

test.beforeAll(async ({ workstation }) => {
  redmine = await startRedmineWithPeople(cleanup);
  await resetExtension(workstation);
  await workstation.setUp();
  await workstation.enableSite('127.0.0.1');
  own = await ownPage(workstation);
  withoutUs = await workstation.browser.newTab();
  await redmine.logIn(withoutUs, 'localhost');
  withUs = await workstation.browser.newTab();
  await redmine.logIn(withUs);
});
test.afterAll(async () => {
  for (const tab of [own, withUs, withoutUs]) await tab?.close();
  await cleanup.run();
});

for (const view of Object.keys(shownPhones) as View[])
  test(`the numbers of its ${view} are marked, with no id among them`, async () => {
    await withoutUs.goto(redmine.url(view, 'localhost'));
    await withUs.goto(redmine.url(view));
    await withUs.activate();
    await expectMarked(own, redmine.url(view), shownPhones[view]);
    expectNoOwnErrors(withUs, withoutUs);
  });

test('a number of its list is dialled', async ({ workstation }) => {
  await withUs.goto(redmine.url('list'));
  await withUs.activate();
  await expectMarked(own, redmine.url('list'), shownPhones.list);
  const before = workstation.sandbox.calls.length;
  expect(
    await onlyThisDials(workstation, before, () => clickNumber(withUs, callable.text), callable.to),
  ).toEqual([callable.to]);
});
