import { expect, test, vi } from 'vitest';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { extensionPattern } = await import('./numbers-on-page.ts');
const findExtension = (text: string) => new RegExp(extensionPattern, 'iu').exec(text)?.[0];

test.each([
  ['Fale com a portaria, ramal 2201.', 'ramal 2201'],
  ['Marina Duarte\nRamal: 1105\n', 'Ramal: 1105'],
  ['Front desk ext. 301, ask for Ana', 'ext. 301'],
  ['Recepción (interno 450)', 'interno 450'],
])('finds the internal extension in %j', (text, extension) => {
  expect(findExtension(text)).toBe(extension);
});

test.each([
  'Phone (48) 3222-1000 ext. 503',
  '+55 11 3350-4188, ramal 1105',
  'text 2201 and next 300',
  'ramal 48 3222-1000',
  'ext. 12',
  'extension 1.2.3',
])('finds none in %j', (text) => {
  expect(findExtension(text)).toBeUndefined();
});
