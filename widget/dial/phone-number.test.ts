import { describe, expect, it } from 'vitest';
import { formatNumber, parseDialNumber, typedDigits } from './phone-number.ts';

describe('formatNumber', () => {
  it.each([
    ['4', 'BR', '4'],
    ['1105', 'BR', '1105'],
    ['33224', 'BR', '3322-4'],
    ['33224455', 'BR', '3322-4455'],
    ['4833224455', 'BR', '(48) 3322-4455'],
    ['48999998888', 'BR', '(48) 99999-8888'],
    ['2125550123', 'US', '(212) 555-0123'],
    ['+5548999998888', 'US', '+55 (48) 99999-8888'],
    ['+12125550123', undefined, '+1 (212) 555-0123'],
    ['+351912345678', 'BR', '+351 912 345 678'],
    ['+', 'BR', '+'],
    ['612345678', 'ES', '612345678'],
    ['4833224455', undefined, '4833224455'],
    ['08001234567', 'BR', '08001234567'],
    ['12125550123', 'US', '12125550123'],
    ['+390612345678', undefined, '+39 061 234 5678'],
    ['٠١٢٣٤٥', undefined, ''],
    ['\u202a48 99999–8888\u202c', 'BR', '(48) 99999-8888'],
    ['０１２３４５', undefined, '012345'],
  ])('formats %s in %s as %s', (typed, region, formatted) => {
    expect(formatNumber(typed, region)).toBe(formatted);
  });

  it.each([
    '*97',
    '(48) 3322-4455 ramal 227',
    '1-800-FLOWERS',
    '3350-9001,22',
    '3350-9001;22',
    '3322-4455/66',
    '(48) 3322-4455/4466',
  ])('leaves %j as typed, whose digits alone are another number', (typed) => {
    expect(formatNumber(typed, 'BR')).toBe(typed);
    expect(() => parseDialNumber(typed)).toThrow(expect.objectContaining({ code: 'notANumber' }));
  });

  it.each([
    ['030/123456', '030123456'],
    ['+49 221/123456', '+49 221 123 456'],
  ])('reads %j, whose slash ends the area code, as %s', (typed, formatted) => {
    expect(formatNumber(typed, 'DE')).toBe(formatted);
    expect(parseDialNumber(typed)).toBe(typedDigits(formatted));
  });

  it('keeps the digits of any input when its output is formatted again', () => {
    for (let length = 1; length < 20; length++)
      for (const region of ['BR', 'US', 'ES', undefined])
        for (const plus of ['', '+']) {
          const digits = '5548999998888776655443'.slice(0, length);
          const formatted = formatNumber(plus + digits, region);
          expect(typedDigits(formatted)).toBe(digits);
          expect(formatNumber(formatted, region)).toBe(formatted);
        }
  });
});

describe('parseDialNumber', () => {
  it('returns the digits', () => expect(parseDialNumber(' +55 (48) 99999-8888 ')).toBe('5548999998888'));
  it.each(['', '5', 'abc', '12a34', '1'.repeat(33), '<img>123', 'javascript:1234'])('rejects %j', (typed) => {
    expect(() => parseDialNumber(typed)).toThrow(expect.objectContaining({ code: 'notANumber' }));
  });
  it.each(['112', '9-1-1', '190', '061'])('rejects the emergency number %s', (typed) => {
    expect(() => parseDialNumber(typed)).toThrow(expect.objectContaining({ code: 'emergency' }));
  });
});
