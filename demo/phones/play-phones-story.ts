/** The story of one call at real phones, headless, by real mouse clicks on the number and on the phones' buttons. */
import type { Locator, Page } from 'playwright';
import type { PhoneName } from '../crm/phones.ts';
import { runStep } from '../progress.ts';
import {
  clickStoryNumber,
  countMarkedNumbers,
  numberToClick,
  playOnPage,
  type Story,
  timeoutMs,
} from '../story-page.ts';

const talkMs = 3000;
interface PhonesStory extends Story {
  /** How many calls rang at each phone. */
  invites(): Promise<Record<PhoneName, number>>;
}

export const playPhonesStory = (story: PhonesStory): Promise<void> =>
  playOnPage(story, (page, shot) => callAtPhones(page, story, shot));

async function callAtPhones(page: Page, story: PhonesStory, shot: (name: string) => Promise<void>) {
  const widget = page.locator('dialmark-widget');
  const phone = (name: PhoneName, state: string) =>
    page.locator(`[data-phone=${name}][data-state=${state}]`).waitFor({ timeout: timeoutMs });
  const button = (name: PhoneName, text: string) =>
    page.locator(`[data-phone=${name}]`).getByRole('button', { name: text });
  const widgetShows = (state: string) =>
    widget.locator(`[part=call][data-state=${state}]`).waitFor({ timeout: timeoutMs });

  await runStep('the CRM shows the widget and two phones', async () => {
    await widget.locator('[data-state], [part]').first().waitFor({ timeout: timeoutMs });
    await phone('agent', 'idle');
    await phone('far', 'idle');
  });
  await runStep(
    'numbers are marked',
    () => countMarkedNumbers(page),
    (count) => `${count} of them`,
  );
  await shot('1-ready');

  await runStep(`clicked ${numberToClick}`, () => clickStoryNumber(page));
  await runStep("the agent's phone rings", () => phone('agent', 'ringing'));
  await widgetShows('callingCaller');
  await shot('2-agent-rings');
  await runStep('answered; the other phone rings', async () => {
    await click(page, button('agent', 'Answer'));
    await phone('far', 'ringing');
  });
  await widgetShows('callingCallee');
  await shot('3-other-rings');
  await runStep('answered; they talk', async () => {
    await click(page, button('far', 'Answer'));
    await phone('far', 'talking');
    await widgetShows('connected');
  });
  await page.waitForTimeout(talkMs);
  await shot('4-talking');
  await runStep('the other side hangs up', async () => {
    await click(page, button('far', 'Hang up'));
    await phone('agent', 'ended');
    await phone('far', 'ended');
  });
  await runStep('shown by the widget, with the path through both phones', async () => {
    await widgetShows('disconnected');
    const legs = await widget.locator('[part=callflow] tbody tr').count();
    if (legs !== 2) throw new Error(`expected a call path of two channels, got ${legs}`);
  });
  await runStep('the recording plays', async () => {
    const player = widget.locator('[part=recording] audio').first();
    const box = await boxInView(player);
    // The play button of the browser's own controls.
    await page.mouse.click(box.x + 20, box.y + box.height / 2);
    const plays = async () => (await player.evaluate((one: HTMLAudioElement) => one.currentTime)) > 0;
    for (const start = Date.now(); !(await plays()); await page.waitForTimeout(50))
      if (Date.now() - start > timeoutMs) throw new Error('it does not play');
  });
  await shot('5-ended');
  const rang = await story.invites();
  if (rang.agent !== 1 || rang.far !== 1) throw new Error(`one click rang ${JSON.stringify(rang)}`);
}

async function boxInView(target: Locator) {
  await target.scrollIntoViewIfNeeded({ timeout: timeoutMs });
  const box = await target.boundingBox();
  if (!box) throw new Error('it is not on the page');
  return box;
}

async function click(page: Page, target: Locator): Promise<void> {
  const { x, y, width, height } = await boxInView(target);
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.mouse.move(4, 4);
}
