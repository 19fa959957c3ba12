/** What every connector has to do at its real CRM. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Call } from '../../shared/call/call.ts';
import { maxNoteCharacters } from '../../shared/record/wrap-up.ts';
import { Cleanup } from '../cleanup.ts';
import { serveHttp } from '../servers/serve-http.ts';
import { type ConnectorWorld, makeConnectorWorld } from './connector-world.ts';
import {
  answerTooLate,
  type ProxyFault,
  redirectTo,
  startCuttingProxy,
  tooManyRequests,
} from './cutting-proxy.ts';
import { killWhileLogging } from './log-kills.ts';
import type { RealCrm } from './real-crm.ts';

/** On a busy machine, Redmine needs minutes to make its tables. */
const startTimeoutMs = 600_000;
/** After a kill, an entry waits for its next attempt, or for the end of the dead relay's claim. */
const killsTimeoutMs = 600_000;
/** The relay's limit while an answer is held back. It is shorter than the default, so that the test is shorter. */
const lateAnswerMs = 3000;

/** A note with markup, and with keywords that some CRMs take for commands. */
const hostileNote = [
  '<script>alert(1)</script> & "quotes"',
  'Status: resolved',
  'refs #2, fixes #2, closes #2',
  'a\u0000b \u202Ereversed\u202C \u05E9\u05DC\u05D5\u05DD',
].join('\n');
const arrivedNote = hostileNote.replace(/[\u0000\u202E\u202C]/g, '');

/** Registers the tests. @returns the world, once they run. */
export function connectorContract<T extends RealCrm>(
  start: (cleanup: Cleanup) => Promise<T>,
): () => ConnectorWorld<T> {
  const cleanup = new Cleanup();
  const ends: (() => unknown)[] = [];
  let world: ConnectorWorld<T>;
  let reader: Promise<Record<string, string>> | undefined;
  const addReader = () => {
    reader ??= world.crm.addReader();
    return reader;
  };
  beforeAll(async () => {
    const crm = await start(cleanup);
    const proxy = await startCuttingProxy(crm);
    cleanup.add('the proxy', () => proxy.stop());
    world = makeConnectorWorld(crm, proxy, (end) => ends.push(end));
  }, startTimeoutMs);
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => cleanup.run());

  it('finds the CRM in order at a check, without creating an entry', async () => {
    const { crm, proxy, connect } = world;
    const before = proxy.passedOn;
    const { connector, client } = connect();
    // A preset also names records of modules that are not installed.
    const found = await connector.check(client, [crm.kind, 'helpdesk.ticket']);
    expect(found).toEqual({ who: expect.stringMatching(crm.who), missing: [] });
    expect(proxy.passedOn).toBe(before);
  });

  it('names at a check the right that a user who only reads lacks', async () => {
    const { crm, connect } = world;
    const { connector, client } = connect(await addReader());
    const { missing } = await connector.check(client, [crm.kind]);
    expect(missing).toEqual([expect.stringMatching(crm.readerLacks)]);
  });

  it('writes one test entry at a check that names a record', async () => {
    const { crm, checkEntry } = world;
    const { isOk, advice } = await checkEntry(crm.records[1]);
    expect([isOk, advice]).toEqual([true, expect.stringMatching(/^written, and found by its marker /)]);
    const [marker] = /dialmark:check-[\w-]+/.exec(advice!)!;
    expect(await textsWith(crm, crm.records[1], marker)).toEqual([
      expect.stringContaining('This is a test by Dialmark'),
    ]);
  });

  it('says at a check that a test entry is not allowed', async () => {
    const { crm, checkEntry } = world;
    const { isOk, advice } = await checkEntry(crm.records[0], await addReader());
    expect([isOk, advice]).toEqual([false, 'it refuses this user; see its rights']);
  });

  it('finds an entry by its own marker alone, as the last line', async () => {
    const { connector, client } = world.connect();
    const [own, other] = [world.entryOn(0), world.entryOn(0)];
    expect(await connector.find!(own, client)).toBeUndefined();
    await connector.create({ ...own, text: `Quotes ${other.marker}\n${own.marker}` }, client);
    expect(await connector.find!(own, client)).toBeDefined();
    expect(await connector.find!(other, client)).toBeUndefined();
    expect(await connector.find!({ ...own, record: world.entryOn(1).record }, client)).toBeUndefined();
  });

  it.each<ProxyFault>(['cutAfter', 'error500After', 'halfBodyAfter', 'cutBefore'])(
    'has an entry once whose answer was lost by %s',
    async (fault) => {
      const { crm, proxy } = world;
      proxy.failNext(fault);
      const before = proxy.passedOn;
      const { call, later } = await world.log(crm.records[0], 'unsure');
      await later(120_000, 'done');
      expect(proxy.passedOn - before).toBe(1);
      expect(await textsOf(crm, call)).toHaveLength(1);
    },
  );

  it('has an entry once whose answer came later than the relay waits', async () => {
    const { crm, proxy, log } = world;
    let created: Promise<unknown> | undefined;
    proxy.failNext((passOn, response) => {
      const answered = passOn();
      created = answered;
      return answerTooLate(() => answered, response);
    });
    const before = proxy.passedOn;
    const { call, later } = await log(crm.records[0], 'unsure', { answerTimeoutMs: lateAnswerMs });
    // A busy CRM may still be creating the entry, which a search does not find yet.
    await created;
    await later(120_000, 'done');
    expect(proxy.passedOn - before).toBe(1);
    expect(await textsOf(crm, call)).toHaveLength(1);
  });

  it('has an entry once that was redirected to a login page, which gets no request', async () => {
    const { crm, proxy, log } = world;
    const requests: unknown[] = [];
    const elsewhere = await serveHttp((request, response) => {
      requests.push(request.headers);
      response.end('{}');
    });
    cleanup.add('the login page', () => elsewhere.close());
    proxy.failNext(redirectTo(`${elsewhere.url}/login`));
    const { call, later } = await log(crm.records[0], 'waiting', { reason: 'redirected' });
    await later(120_000, 'done');
    expect(requests).toEqual([]);
    expect(await textsOf(crm, call)).toHaveLength(1);
  });

  it('has an entry once that the CRM was too busy for at first', async () => {
    const { crm, proxy, log } = world;
    proxy.failNext(tooManyRequests);
    const { call, later } = await log(crm.records[0], 'waiting', { reason: 'tooManyRequests' });
    await later(90_000, 'done');
    expect(await textsOf(crm, call)).toHaveLength(1);
  });

  it(
    'keeps each entry once through ten kills of relay, CRM or network',
    async () => {
      const { kills: _met, ...figures } = await killWhileLogging(world.crm, 10);
      const wrong = { lost: [], twice: [], elsewhere: [], givenUp: [] };
      expect(figures).toEqual({ calls: 10, moved: 4, ...wrong });
    },
    killsTimeoutMs,
  );

  it('asks the agent about a record that is missing', async () => {
    const { entry } = await world.log(world.crm.missing, 'needsAgent');
    expect((await entry())!.reason).toBe('notFound');
  });

  it('asks the agent about a record that the relay may not write on', async () => {
    const { crm, log } = world;
    const { entry } = await log(crm.records[0], 'needsAgent', { settings: await addReader() });
    expect((await entry())!.reason).toBe('forbidden');
  });

  it('says of a wrong token that the settings are wrong', async () => {
    const { connector, client } = world.connect({ TOKEN: 'wrong' });
    const refused = { kind: 'misconfigured', reason: 'unauthorized' };
    await expect(connector.check(client, [world.crm.kind])).rejects.toMatchObject(refused);
    await expect(connector.create(world.entryOn(0), client)).rejects.toMatchObject(refused);
  });

  it('keeps a hostile note as text', async () => {
    const { call } = await world.log(world.crm.records[0], 'done', { note: hostileNote });
    const [text] = await textsOf(world.crm, call);
    expect(text!.trimEnd().endsWith(`${arrivedNote}\ndialmark:${call.id}`)).toBe(true);
  });

  it('finds the entry with the longest note, in one line of four-byte characters', async () => {
    const { crm, log, connect, entryOn } = world;
    const note = '𝒜'.repeat(maxNoteCharacters / 2);
    const { call } = await log(crm.records[0], 'done', { note });
    const [text] = await textsOf(crm, call);
    expect(text).toContain(note);
    const { connector, client } = connect();
    const sought = { ...entryOn(0), marker: `dialmark:${call.id}` };
    expect(await connector.find!(sought, client)).toBeDefined();
  });

  return () => world;
}

const textsOf = (crm: RealCrm, { id, record }: Call) =>
  textsWith(crm, record?.id ?? crm.records[0], `dialmark:${id}`);

const textsWith = async (crm: RealCrm, record: string, marker: string) =>
  (await crm.texts(record)).filter((text) => text.trimEnd().endsWith(marker));
