/** Call sheets over HTTP: claims of a team, calls of items, and what their outcomes do. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import { hangup, newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const folder = await temporaryFolder();
const rulesFile = folder.file('rules.json');
const weekday = (new Date().getUTCDay() + 2) % 7;
const callingHours = {
  BR: { days: [weekday], from: '00:00', to: '24:00', zones: ['UTC'] },
  other: { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '24:00' },
};
const template = { system: 'rt', origin: 'https://rt.example', pattern: '/t/{id}', kind: 'ticket' };

let provider: FakeProvider;
let relay: TestRelay;
let marta: string;
let rui: string;
let outsider: string;
beforeAll(async () => {
  provider = await startFakeProvider();
  const rules = {
    templates: [template],
    teams: { careful: { maxAttemptsPerDay: 1 }, daytime: { callingHours } },
  };
  await writeFile(rulesFile, JSON.stringify(rules));
  relay = await startTestRelay({
    COUNTRY: 'BR',
    RULES_FILE: rulesFile,
    PROVIDER_URL: provider.url,
    PROVIDER_TOKEN: 't',
  });
  marta = await relay.member('1105', { name: 'Marta', team: 'sales' });
  rui = await relay.member('1106', { name: 'Rui', team: 'sales' });
  outsider = await relay.member('2001', { name: 'Otto', team: 'support', rights: ['supervise'] });
});
afterAll(async () => {
  await relay.stop();
  provider.close();
  await folder.remove();
});

let numbers = 0;
const newNumber = () => `+554832${String(600_000 + numbers++)}`;
const post = (path: string, as: string, body: object) => relay.ask(path, { as, body });
const make = async (items: object[], as = marta) =>
  (await post('/v1/sheets', as, { name: 'Leads', items })).body.sheet as { id: string };
const claim = async ({ id }: { id: string }, as: string) =>
  (await post(`/v1/sheets/${id}/claim`, as, {})).body;
const call = ({ id }: { id: string }, item: { id: number; number: string }, as: string, more: object = {}) =>
  relay.ask('/v1/calls', {
    as,
    body: { to: item.number.slice(3), item: { sheet: id, id: item.id }, ...more },
    headers: newClick(),
  });
const wrapUp = (callId: string, as: string, body: object) =>
  relay.ask(`/v1/calls/${callId}/wrap-up`, { as, method: 'PATCH', body, headers: { 'if-match': '0' } });
const itemsOf = async ({ id }: { id: string }) =>
  (await relay.ask(`/v1/sheets/${id}/items`, { as: marta })).body.items;

describe('a call sheet', () => {
  it('takes numbers as people write them, each once, naming what it cannot read', async () => {
    const record = { system: 'rt', kind: 'ticket', id: '4711' };
    const { status, body } = await post('/v1/sheets', marta, {
      name: 'Leads',
      items: [
        { number: '(48) 9999-3001', name: 'Ana\u202e Prado', record },
        { number: '+55 48 99999-3001' },
        { number: '3001' },
        { number: '=HYPERLINK("x")' },
        { number: '+55489*' },
      ],
    });
    expect([status, body]).toMatchObject([
      201,
      { unreadable: 3, repeated: 1, sheet: { total: 1, counts: { open: 1 } } },
    ]);
    expect(await itemsOf(body.sheet)).toMatchObject([
      { id: 1, number: '+5548999993001', name: 'Ana Prado', record, state: 'open', attempts: 0 },
    ]);
    expect((await post('/v1/sheets', marta, { name: 'None', items: [{ number: 'x' }] })).body.code).toBe(
      'numberUnknown',
    );
  });

  it('is made once where its request is repeated, since the first reply was late', async () => {
    const request = { id: newCallId(), name: 'Autumn', items: [{ number: newNumber() }] };
    const made = { status: 201, body: { repeated: 0, sheet: { id: request.id, total: 1 } } };
    expect(await Promise.all([1, 2].map(() => post('/v1/sheets', marta, request)))).toMatchObject([
      made,
      made,
    ]);
    expect(await post('/v1/sheets', marta, request)).toMatchObject(made);
    const { sheets } = (await relay.ask('/v1/sheets', { as: marta })).body;
    expect(sheets.filter(({ name }: { name: string }) => name === 'Autumn')).toHaveLength(1);
    expect((await post('/v1/sheets', outsider, request)).body.code).toBe('notFound');
  });

  it('is for agent keys of its team alone', async () => {
    const sheet = await make([{ number: newNumber() }]);
    const site = await relay.site('https://sheets.example', '1105');
    const { body } = await post('/v1/tickets', site.key, { from: '1105', rights: ['watch', 'dial'] });
    const alone = await relay.agent('1107');
    for (const as of [site.key, body.ticket, alone])
      expect((await relay.ask('/v1/sheets', { as })).body.code).toBe('forbidden');
    const { item } = await claim(sheet, marta);
    for (const as of [body.ticket, alone]) expect((await call(sheet, item, as)).body.code).toBe('forbidden');
    expect((await claim(sheet, outsider)).code).toBe('notFound');
    const sheets = (await relay.ask('/v1/sheets', { as: outsider })).body.sheets;
    expect(sheets).toEqual([]);
  });

  it('places no call by a claim, but one by the call of its item', async () => {
    const number = newNumber();
    const sheet = await make([{ number, name: 'Ana Prado' }]);
    const { item, sheet: progress } = await claim(sheet, marta);
    expect(item).toMatchObject({ number, name: 'Ana Prado', agent: '1105' });
    expect(progress.counts.open).toBe(1);
    const dialled = () => provider.received.filter(({ fields }) => number.endsWith(String(fields.to))).length;
    expect(dialled()).toBe(0);
    expect((await claim(sheet, rui)).item).toBeUndefined();
    expect((await call(sheet, item, rui)).body.code).toBe('itemTaken');
    expect((await call(sheet, { ...item, number: newNumber() }, marta)).body.code).toBe('itemTaken');
    const { status, body } = await call(sheet, item, marta);
    expect([status, body.item]).toEqual([201, { sheet: sheet.id, id: 1 }]);
    expect((await call(sheet, item, marta)).body.code).toBe('itemTaken');
    expect(dialled()).toBe(1);
  });

  it.each([
    ['reached', {}, 'done', 0],
    ['noAnswer', {}, 'open', 2],
    ['callAgain', { callBackAt: new Date(Date.now() + 2 * 3_600_000).toISOString() }, 'open', 2],
    ['doNotCall', {}, 'doNotCall', 0],
  ])('moves an item by the outcome %s', async (outcome, more, state, hours) => {
    const sheet = await make([{ number: newNumber() }]);
    const { item } = await claim(sheet, marta);
    const { body } = await call(sheet, item, marta);
    expect((await itemsOf(sheet))[0]).toMatchObject({ state: 'called', attempts: 1 });
    expect((await wrapUp(body.id, marta, { outcome, ...more })).status).toBe(200);
    const [moved] = await itemsOf(sheet);
    expect(moved).toMatchObject({ state, outcome, agent: '1105' });
    if (hours > 0) expect((Date.parse(moved.due) - Date.now()) / 3_600_000).toBeCloseTo(hours, 1);
  });

  it('closes items that must not be called, skips those that somebody is calling', async () => {
    const [listed, busy, free] = [newNumber(), newNumber(), newNumber()];
    await post('/v1/rules/do-not-call', rui, { number: listed });
    const sheet = await make([{ number: listed }, { number: busy }, { number: free }]);
    await relay.ask('/v1/calls', { as: rui, body: { to: busy.slice(3) }, headers: newClick() });
    expect((await claim(sheet, marta)).item.number).toBe(free);
    const states = (await itemsOf(sheet)).map(({ state }: { state: string }) => state);
    expect(states).toEqual(['doNotCall', 'open', 'open']);
  });

  it('is not called by who was listed after the claim', async () => {
    const number = newNumber();
    const sheet = await make([{ number }]);
    const { item } = await claim(sheet, marta);
    await post('/v1/rules/do-not-call', rui, { number });
    expect((await call(sheet, item, marta)).body.code).toBe('doNotCall');
    expect((await claim(sheet, marta)).item).toBeUndefined();
  });

  it('offers an item again when the limit that refused its call has ended', async () => {
    const eva = await relay.member('1111', { team: 'careful' });
    const boss = await relay.member('1112', { team: 'careful', rights: ['override'] });
    const refusedTo = async (as: string) => {
      const [tried, other] = [newNumber(), newNumber()];
      const sheet = await make([{ number: tried }, { number: other }], as);
      await relay.ask('/v1/calls', { as, body: { to: tried.slice(3) }, headers: newClick() });
      const { item } = await claim(sheet, as);
      const { headers, body } = await call(sheet, item, as);
      expect(body.code).toBe('tooManyAttempts');
      return { sheet, item, dueAt: Date.now() + Number(headers.get('retry-after')) * 1000 };
    };
    const { sheet, item, dueAt } = await refusedTo(eva);
    expect((await claim(sheet, eva)).item.id).toBe(2);
    const { items } = (await relay.ask(`/v1/sheets/${sheet.id}/items`, { as: eva })).body;
    expect(Math.abs(Date.parse(items[0].due) - dueAt)).toBeLessThan(5000);
    expect((await call(sheet, item, eva)).body.code).toBe('itemTaken');

    const kept = await refusedTo(boss);
    expect((await call(kept.sheet, kept.item, boss, { override: { reason: 'agreed' } })).status).toBe(201);
  });

  describe('keeps a callback for who agreed on it', () => {
    /** An item that its agent has called, and is to call back from now on. */
    async function makeCallback(from: string, as: string, end: object) {
      const sheet = await make([{ number: newNumber() }], as);
      const { item } = await claim(sheet, as);
      const { id } = (await call(sheet, item, as)).body;
      const { pathname } = new URL(String(provider.received.at(-1)!.fields.returnurl));
      await relay.ask(pathname, { body: { ...end, from, to: item.number } });
      const callBackAt = new Date(Date.now() - 1000).toISOString();
      expect((await wrapUp(id, as, { outcome: 'callAgain', callBackAt })).status).toBe(200);
      const read = async () => (await relay.ask(`/v1/sheets/${sheet.id}/items`, { as })).body.items[0];
      return { sheet, item, agreed: await read(), read };
    }

    it('where a claim passes it over, since somebody calls its number', async () => {
      const { sheet, item, agreed, read } = await makeCallback('1105', marta, { event: 'lost-call' });
      expect((await call(sheet, item, rui, { item: undefined })).status).toBe(201);
      expect((await claim(sheet, marta)).item).toBeUndefined();
      expect(await read()).toMatchObject({ agent: '1105', leasedUntil: agreed.leasedUntil });
    });

    it('where a limit refuses its call', async () => {
      const eva = await relay.member('1113', { team: 'careful' });
      const { sheet, agreed, read } = await makeCallback('1113', eva, hangup());
      const { item } = await claim(sheet, eva);
      expect((await call(sheet, item, eva)).body.code).toBe('tooManyAttempts');
      const putOff = await read();
      expect(putOff).toMatchObject({ agent: '1113', leasedUntil: agreed.leasedUntil });
      expect(Date.parse(putOff.due)).toBeGreaterThan(Date.now());
    });
  });

  it('passes over numbers that the hour forbids, until it allows them', async () => {
    const eva = await relay.member('1110', { team: 'daytime' });
    const sheet = await make([{ number: newNumber() }, { number: '+351211234567' }], eva);
    expect((await claim(sheet, eva)).item).toMatchObject({ id: 2 });
    const { items } = (await relay.ask(`/v1/sheets/${sheet.id}/items`, { as: eva })).body;
    const opening = new Date(items[0].due);
    expect([items[0].state, opening.getUTCDay(), opening.getTime() % 86_400_000]).toEqual([
      'open',
      weekday,
      0,
    ]);
  });

  it('goes on with another agent where one gives an item back, or is away', async () => {
    const sheet = await make([{ number: newNumber() }]);
    const release = (as: string) =>
      relay.ask(`/v1/sheets/${sheet.id}/items/1/claim`, { as, method: 'DELETE' });
    await claim(sheet, marta);
    expect((await release(rui)).status).toBe(404);
    expect((await release(marta)).status).toBe(204);
    const { body } = await post(`/v1/sheets/${sheet.id}/claim`, rui, { seconds: 1 });
    expect(body.item.agent).toBe('1106');
    const { next } = await claim(sheet, marta);
    expect(next).toBe(body.item.leasedUntil);
  });

  it('is deleted by who made it, or by a supervisor of its team', async () => {
    const [own, other] = [await make([{ number: newNumber() }]), await make([{ number: newNumber() }])];
    const boss = await relay.member('1109', { team: 'sales', rights: ['supervise'] });
    const remove = ({ id }: { id: string }, as: string) =>
      relay.ask(`/v1/sheets/${id}`, { as, method: 'DELETE' });
    const deletable = async (as: string) =>
      (await relay.ask('/v1/sheets', { as })).body.sheets
        .filter(({ mayDelete }: { mayDelete: boolean }) => mayDelete)
        .map(({ id }: { id: string }) => id);
    expect(await deletable(marta)).toContain(own.id);
    expect(await deletable(rui)).not.toContain(own.id);
    expect(await deletable(boss)).toContain(own.id);
    expect((await remove(own, rui)).status).toBe(403);
    expect((await remove(own, outsider)).status).toBe(404);
    expect((await remove(own, marta)).status).toBe(204);
    expect((await remove(other, boss)).status).toBe(204);
    const { records } = await relay.store.rules.audit('1970-01-01T00:00:00Z', 1);
    expect(records[0]).toMatchObject({ action: 'sheet.delete', about: other.id, detail: 'Leads, of sales' });
    expect((await claim(own, marta)).code).toBe('notFound');
  });
});
