/** Entries whose CRM the operator has taken out of the settings, or given another name. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { hungUp } from '../../testing/crm/logging-world.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { startTestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { checkRelay } from '../command-line/check.ts';
import { readRelaySettings } from '../settings.ts';
import { openStore } from '../store/open-store.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A store in which one call waits to be logged in `help`. */
async function storeWithEntry(): Promise<{ STORE: string }> {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const STORE = `sqlite:${folder.file('relay.db')}`;
  const store = await openStore(readRelaySettings({ DIALMARK_STORE: STORE }));
  const intent = clientIntent('1105', { logSystems: ['help'] });
  intent.call.record = { system: 'help', kind: 'issue', id: '1', url: 'https://help.example/issues/1' };
  await store.calls.place(intent);
  await store.calls.apply({ callId: intent.call.id, fact: hungUp, now: Date.now() });
  await store.close();
  return { STORE };
}

const hook = {
  HELP_KIND: 'webhook',
  HELP_URL: 'http://127.0.0.1:1',
  HELP_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
};
const asCrm = (name: string) =>
  Object.fromEntries(Object.entries(hook).map(([key, value]) => [key.replace('HELP', `CRM_${name}`), value]));

const advice = /^DIALMARK_CRM_HELP_… is not set, and entries of calls wait for it \(1\): set it again/;

it.each([
  ['a CRM', asCrm('HELP'), 0],
  ['another CRM', asCrm('TICKETS'), 1],
  ['no CRM', {}, 1],
])('names entries that nothing sends at a start with %s', async (_, settings, count) => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)).msg);
      done();
    },
  });
  const relay = await startTestRelay({ ...settings, ...(await storeWithEntry()) }, pino({}, stream));
  stops.push(() => relay.stop());
  expect(lines.filter((line) => advice.test(line))).toHaveLength(count);
});

it('finds a store with entries that nothing sends', async () => {
  const { STORE } = await storeWithEntry();
  const settings = readRelaySettings({ DIALMARK_STORE: STORE, DIALMARK_LISTEN: '127.0.0.1:0' });
  const store = (await checkRelay(settings)).find(({ what }) => what.startsWith('store'));
  expect(store).toMatchObject({ isOk: false, advice: expect.stringMatching(advice) });
});
