import { describe, expect, it } from 'vitest';
import { NumberStatusRequest, nameText } from './number-status.ts';

const ana = { name: 'Ana Prado', organisation: 'Acme', source: 'crm' };

describe('nameText', () => {
  it('names a person with the organisation', () => {
    expect(nameText({ names: [ana], count: 1, organisation: 'Acme' })).toBe('Ana Prado, Acme');
  });

  it('names the organisation once where it is the name too', () => {
    expect(nameText({ names: [{ ...ana, name: 'Acme' }], count: 1 })).toBe('Acme');
  });

  it('counts several people, by their organisation where they share one', () => {
    const names = [ana, { ...ana, name: 'Rui Costa' }];
    expect(nameText({ names, count: 8, organisation: 'Acme' })).toBe('Acme (8)');
    expect(nameText({ names, count: 2 })).toBe('Ana Prado (2)');
  });

  it('is absent without names', () => {
    expect(nameText({ names: [], count: 0 })).toBeUndefined();
  });
});

describe('a request for the status of numbers', () => {
  const isValid = (numbers: string[]) => NumberStatusRequest.safeParse({ numbers }).success;

  it('takes E.164 or an internal extension', () => {
    expect(isValid(['+5548999998888', '1105'])).toBe(true);
    for (const wrong of ['+0123456', '(48) 99999-8888', '', '+55489999988889999', 'ana'])
      expect([wrong, isValid([wrong])]).toEqual([wrong, false]);
  });

  it('takes 1 to 50 numbers', () => {
    expect(isValid([])).toBe(false);
    expect(isValid(Array.from({ length: 50 }, () => '1105'))).toBe(true);
    expect(isValid(Array.from({ length: 51 }, () => '1105'))).toBe(false);
  });
});
