import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyFieldMap,
  fieldMapProblems,
  formatFieldMap,
  notificationFields,
  parseFieldMap,
  parsePairs,
  undoFieldMap,
} from './field-map.ts';

describe('a field map', () => {
  it('is formatted, then parsed, as pairs', () => {
    const map = parseFieldMap('callid:external_id, billsec:talk');
    expect(map).toEqual({ callid: 'external_id', billsec: 'talk' });
    expect(formatFieldMap(map)).toBe('callid:external_id,billsec:talk');
    expect(parseFieldMap('')).toEqual({});
    expect(formatFieldMap({})).toBeUndefined();
  });

  it.each([
    ['callid', 'notAPair'],
    [':x', 'notAPair'],
    ['callid:', 'emptyName'],
    ['callid:a,callid:b', 'fieldTwice'],
    ['callid:a,billsec:a', 'nameTwice'],
    ['callid:from', 'hidesField'],
    ['nothing:a', 'unknownField'],
    ['callid:a b', 'badName'],
  ])('"%s" is refused as %s', (text, code) => {
    const { pairs, problems } = parsePairs(text);
    expect([...problems, ...fieldMapProblems(pairs)].map((problem) => problem.code)).toContain(code);
    expect(() => parseFieldMap(text)).toThrow(/^map: /);
  });

  it('may swap two fields', () => {
    expect(
      fieldMapProblems([
        ['from', 'to'],
        ['to', 'from'],
      ]),
    ).toEqual([]);
  });

  it('is undone to the original notification, whatever it renamed', () => {
    const names = fc.uniqueArray(fc.constantFrom(...notificationFields), { minLength: 1 });
    fc.assert(
      fc.property(
        names,
        fc.uniqueArray(fc.stringMatching(/^[a-z0-9_.-]{1,12}$/), { minLength: 19, maxLength: 19 }),
        (fields, fresh) => {
          const pairs = fields.map((field, index) => [field, fresh[index]!] as const);
          fc.pre(fieldMapProblems(pairs).length === 0);
          const map = Object.fromEntries(pairs);
          const body = Object.fromEntries(notificationFields.map((field) => [field, `value of ${field}`]));
          expect({ ...undoFieldMap(applyFieldMap(body, map), map) }).toEqual(body);
        },
      ),
    );
  });

  it('loses no field when the service ignores it', () => {
    expect({ ...undoFieldMap({ callid: 'c1', billsec: '3' }, { callid: 'external_id' }) }).toEqual({
      callid: 'c1',
      billsec: '3',
    });
  });

  it('cannot pollute a prototype', () => {
    const undone = undoFieldMap(JSON.parse('{"__proto__": {"polluted": true}}'), {});
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(undone)).toBeNull();
  });
});
