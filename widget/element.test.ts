// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';

vi.stubGlobal('requestAnimationFrame', (render: () => void) => setTimeout(render));
vi.mock('./session/shared-sessions.ts', () => ({ joinSharedSession() {}, leaveSharedSession() {} }));
await import('./element.tsx');

test.each([
  ['no country', '', '(48) 3222-1000'],
  ['an empty country', 'country=""', '(48) 3222-1000'],
  ['a country', 'country="us"', '(483) 222-1000'],
])('with %s, the field groups a number by it, else by the region of lang', async (_, country, grouped) => {
  const relay = 'relay="https://relay.example" ticket-url="/ticket"';
  document.body.innerHTML = `<dialmark-widget mode="dial" lang="pt-BR" ${relay} ${country}></dialmark-widget>`;
  const field = document.querySelector('dialmark-widget')!.shadowRoot!.querySelector('input')!;
  field.value = '4832221000';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  expect(field.value).toBe(grouped);
  // A widget that leaves the page renders once more, which must not come after the last test.
  document.body.innerHTML = '';
  await new Promise(requestAnimationFrame);
});
