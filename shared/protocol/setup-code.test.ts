import { expect, it } from 'vitest';
import { decodeSetupCode, encodeSetupCode } from './setup-code.ts';

const setup = {
  relayUrl: 'https://relay.example/dialmark',
  callers: ['1105', '1106'],
  key: `dma_${'aB3_-'.repeat(9).slice(0, 43)}`,
};
const code = encodeSetupCode(setup);

it('gives back what it was made of', () => {
  expect(decodeSetupCode(code)).toEqual(setup);
});

it('holds the country with the area code of the agent', () => {
  const placed = { ...setup, country: 'BR', areaCode: '48' } as const;
  expect(decodeSetupCode(encodeSetupCode(placed))).toEqual(placed);
});

it('is one word that no mail program takes for a link', () => {
  expect(code).toMatch(/^dialmark-setup-1_[A-Za-z0-9_-]+$/);
});

it('is read with the blanks or line breaks of an e-mail in it', () => {
  expect(decodeSetupCode(` ${code.slice(0, 40)}\r\n${code.slice(40)}\n`)).toEqual(setup);
});

it.each([
  ['quoted in a reply', `> ${code.slice(0, 60)}\n> ${code.slice(60)}`],
  ['in quotation marks', `“${code}”.`],
  ['in angle brackets', `<${code}>`],
  ['behind its words', `Seu código: ${code}`],
  ['in quoted-printable lines', `${code.slice(0, 70)}=\r\n${code.slice(70)}`],
  ['with invisible places to break', `\uFEFF${code.slice(0, 50)}\u200B${code.slice(50)}\u00AD`],
])('is read as a mail program gives it: %s', (_, text) => {
  expect(decodeSetupCode(text)).toEqual(setup);
});

it('is read from a field into which it was pasted twice, or after an earlier code', () => {
  const earlier = encodeSetupCode({ ...setup, relayUrl: 'https://old.example' });
  expect(decodeSetupCode(code + code)).toEqual(setup);
  expect(decodeSetupCode(`${earlier} ${code}`)).toEqual(setup);
  expect(decodeSetupCode(earlier + code.slice(0, -5))).toBeUndefined();
});

it('is not decoded where a part is missing', () => {
  const known = [...code].flatMap((_, length) => (decodeSetupCode(code.slice(0, length)) ? [length] : []));
  expect(known).toEqual([]);
  expect(decodeSetupCode(setup.key)).toBeUndefined();
});

it('writes an international address in ASCII', () => {
  const { relayUrl } = decodeSetupCode(encodeSetupCode({ ...setup, relayUrl: 'https://relé.example/' }))!;
  expect(relayUrl).toBe('https://xn--rel-dma.example');
});

it.each([
  ['an address with a password', { relayUrl: 'https://me:secret@relay.example' }],
  ['an address that is no http', { relayUrl: 'javascript:alert(1)' }],
  ['no extension', { callers: [] }],
  ['an extension that is markup', { callers: ['<b>'] }],
  ['a country that does not exist', { country: 'XX' }],
  ['an area code with its trunk zero', { areaCode: '048' }],
  ['a site key', { key: setup.key.replace('dma_', 'dms_') }],
])('holds nothing else: %s', (_, wrong) => {
  expect(() => encodeSetupCode({ ...setup, ...wrong } as never)).toThrow();
  const made = `dialmark-setup-1_${btoa(JSON.stringify({ ...setup, ...wrong }))}`;
  expect(decodeSetupCode(made)).toBeUndefined();
});
