// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { BackgroundConnection } from './background-connection.ts';
import { createPageLinks } from './page-links.ts';

test('asks again about a link whose reply was on its way when the settings changed', async () => {
  document.body.innerHTML = '<a href="tel:4899">4899</a>';
  const link = document.querySelector('a')!;
  const answers: (() => void)[] = [];
  const send = () =>
    new Promise((resolve) => {
      const value = { display: `reading ${answers.length + 1}`, to: '4899' };
      answers.push(() => resolve({ ok: true, value }));
    });
  const links = createPageLinks({ send } as unknown as BackgroundConnection);
  const ask = () => links.targetOf(link, () => {})?.number.display;
  const answer = async (place: number) => {
    answers[place]!();
    await new Promise((resolve) => setTimeout(resolve));
  };
  ask();
  links.clearCache();
  ask();
  await answer(0);
  expect(ask()).toBeUndefined();
  await answer(1);
  expect(ask()).toBe('reading 2');
  expect(answers).toHaveLength(2);
});
