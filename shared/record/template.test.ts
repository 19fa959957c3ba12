import { describe, expect, it } from 'vitest';
import { presets, templatesOfPreset } from './presets.ts';
import { linkedRecord, RecordTemplate, recordAt } from './template.ts';

const crm = 'https://crm.example';
const template = (pattern: string, kind = 'ticket') => ({ system: 'crm', origin: crm, pattern, kind });

describe('an address', () => {
  it.each([
    ['/Ticket/Display.html?id={id}', '/Ticket/Display.html?id=4711', '4711'],
    ['/Ticket/Display.html?id={id}', '/Ticket/Display.html?Page=2&id=4711#txn-9', '4711'],
    ['/issues/{id}', '/issues/4711?tab=notes#note-3', '4711'],
    ['/web#id={id}&model=crm.lead', '/web#cids=1&model=crm.lead&id=7&view_type=form', '7'],
    ['/#demo/model/party.party/{id}', '/#demo/model/party.party/7;views=%5B1%5D', '7'],
    ['/lightning/r/Contact/{key}/view', '/lightning/r/Contact/0035g00000XyZ12AAB/view', '0035g00000XyZ12AAB'],
  ])('that fits %s names its record', (pattern, path, id) => {
    expect(recordAt(crm + path, [template(pattern)])).toEqual({ system: 'crm', kind: 'ticket', id });
  });

  it.each([
    ['another host', 'https://other.example/issues/4711'],
    ['another port', 'https://crm.example:8443/issues/4711'],
    ['plain http', 'http://crm.example/issues/4711'],
    ['a path that goes on', 'https://crm.example/issues/4711/edit'],
    ['a path that climbs', 'https://crm.example/issues/4711/../9/x'],
    ['full-width digits', 'https://crm.example/issues/４７１１'],
    ['a negative id', 'https://crm.example/issues/-4711'],
    ['a leading zero', 'https://crm.example/issues/04711'],
    ['an id over 2^53', 'https://crm.example/issues/9007199254740993'],
    ['an exponent', 'https://crm.example/issues/1e3'],
    ['an encoded digit', 'https://crm.example/issues/%34711'],
    ['a name before the host', 'https://crm.example@other.example/issues/4711'],
    ['no address', 'issues/4711'],
  ])('with %s names no record', (_what, address) => {
    expect(recordAt(address, [template('/issues/{id}')])).toBeUndefined();
  });

  it('with its parameter twice names no record', () => {
    expect(recordAt(`${crm}/t?id=1&id=2`, [template('/t?id={id}')])).toBeUndefined();
  });

  it('of another kind of record names that kind', () => {
    const templates = [
      template('/web#id={id}&model=crm.lead', 'crm.lead'),
      template('/web#id={id}&model=res.partner', 'res.partner'),
    ];
    expect(recordAt(`${crm}/web#model=res.partner&id=7`, templates)).toMatchObject({ kind: 'res.partner' });
  });
});

describe('the link of a record', () => {
  it('is made from the template for its system, its kind', () => {
    const record = { system: 'crm', kind: 'ticket', id: '4711' };
    expect(linkedRecord(record, [template('/t?id={id}')])).toEqual({ ...record, url: `${crm}/t?id=4711` });
  });

  it.each(['4711/../9', '４７１１', '0', '-1', '1 OR 1=1', 'abc', '9007199254740993'])(
    'is not made for the id %s',
    (id) => {
      expect(linkedRecord({ system: 'crm', kind: 'ticket', id }, [template('/issues/{id}')])).toBeUndefined();
    },
  );

  it('is not made for a system or kind without a template', () => {
    expect(
      linkedRecord({ system: 'other', kind: 'ticket', id: '1' }, [template('/issues/{id}')]),
    ).toBeUndefined();
    expect(
      linkedRecord({ system: 'crm', kind: 'lead', id: '1' }, [template('/issues/{id}')]),
    ).toBeUndefined();
  });

  it('puts an id with a dollar sign pattern in as it is written', () => {
    const templates = [template('/r/{key}/view')];
    expect(linkedRecord({ system: 'crm', kind: 'ticket', id: "$'" }, templates)).toBeUndefined();
  });
});

describe('a template', () => {
  it.each([
    ['a path in its origin', { origin: `${crm}/app` }],
    ['an origin that is no address', { origin: 'crm.example' }],
    ['no placeholder', { pattern: '/issues/4711' }],
    ['two placeholders', { pattern: '/{id}/{id}' }],
    ['an unknown placeholder', { pattern: '/issues/{number}' }],
    ['a pattern that is no path', { pattern: 'issues/{id}' }],
  ])('with %s is refused', (_what, wrong) => {
    expect(RecordTemplate.safeParse({ ...template('/issues/{id}'), ...wrong }).success).toBe(false);
  });
});

describe('presets', () => {
  it('read back every link that they make', () => {
    for (const preset of Object.keys(presets) as (keyof typeof presets)[]) {
      const templates = templatesOfPreset({ preset, origin: crm, database: 'demo' });
      for (const { system, kind, pattern } of templates) {
        expect(RecordTemplate.safeParse(templates[0]).success).toBe(true);
        const id = pattern.includes('{key}') ? '0035g00000XyZ12AAB' : '4711';
        const record = { system, kind, id };
        expect(recordAt(linkedRecord(record, templates)!.url, templates)).toEqual(record);
      }
    }
  });

  it('name the database that they lack', () => {
    expect(() => templatesOfPreset({ preset: 'tryton', origin: crm })).toThrow(
      'preset tryton: expected "database", its database',
    );
  });
});
