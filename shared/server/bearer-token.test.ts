import { describe, expect, it } from 'vitest';
import { carriesToken, isSameSecret, readBearerToken } from './bearer-token.ts';

describe('readBearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer  abc', 'abc'],
    [undefined, undefined],
    ['', undefined],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    [`Bearer ${'x'.repeat(2049)}`, undefined],
  ])('reads %s as %s', (authorization, token) => {
    expect(readBearerToken(authorization)).toBe(token);
  });
});

it('isSameSecret compares secrets of any length', () => {
  expect(isSameSecret('secret', 'secret')).toBe(true);
  expect(isSameSecret('secret', 'secrets')).toBe(false);
  expect(isSameSecret('', 'secret')).toBe(false);
});

it('carriesToken takes the scheme in any case', () => {
  expect(carriesToken('bearer secret', 'secret')).toBe(true);
  expect(carriesToken('Bearer secrets', 'secret')).toBe(false);
  expect(carriesToken('secret', 'secret')).toBe(false);
  expect(carriesToken(undefined, 'undefined')).toBe(false);
});
