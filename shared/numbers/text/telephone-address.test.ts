import { describe, expect, test } from 'vitest';
import { readTelephoneAddress, shortTelephoneAddress } from './telephone-address.ts';

describe('reads a telephone address', () => {
  test.each([
    ['tel:+55-48-3222-1000', '+55-48-3222-1000', true],
    [' tel:1105', '1105', true],
    ['\n\ttel:11\n05 \u0001', '1105', true],
    ['TEL:%2B4930901820;ext=2-1', '+4930901820 ext 21', true],
    ['callto://+1 415 555 0132', '+1 415 555 0132', true],
    ['sip:1105@pbx.example', '1105', true],
    ['sips:1105@pbx.example;transport=tls', '1105', true],
    ['sms:+554832221000?body=hi', '+554832221000', false],
    ['whatsapp:+554832221000', '+554832221000', false],
    ['https://wa.me/554832221000?text=hi', '+554832221000', false],
    ['https://api.whatsapp.com/send?text=hi&phone=%2B554832221000', '+554832221000', false],
    ['whatsapp://send?phone=554832221000', '+554832221000', false],
  ])('%j', (address, text, isCall) => {
    expect(readTelephoneAddress(address)).toEqual({ text, isCall });
  });

  test.each(['', '/tel:1', 'mailto:a@b', 'tell:1', 'https://wa.me/1', 'x tel:1', '3222-1000'])(
    'not in %j',
    (address) => {
      expect(readTelephoneAddress(address)).toBeUndefined();
    },
  );
});

test('shortens an address to its number', () => {
  const long = `https://wa.me/554832221000?text=${'x'.repeat(500)}`;
  expect(shortTelephoneAddress(long)).toBe('tel:+554832221000');
  expect(shortTelephoneAddress(' tel:+49 30 901820;ext=21')).toBe('tel:+49 30 901820;ext=21');
});
