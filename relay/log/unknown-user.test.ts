/** An agent whose login in `_USERS` is not a user of the CRM. */
import { expect, it } from 'vitest';
import { connectTo, hungUp, silentLogger } from '../../testing/crm/logging-world.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { until } from '../../testing/until.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import { wrapUpWindowMs } from './call-log.ts';
import type { Connector } from './connectors/connector.ts';
import { UnknownUser } from './connectors/crm-error.ts';

it('logs the calls of other agents at once, though the CRM lacks the user of one agent', async () => {
  const created: string[] = [];
  const refused: string[] = [];
  const connector: Connector = {
    find: async () => undefined,
    async create({ call, login = '' }) {
      if (login === 'rui') refused.push(call.id);
      if (login === 'rui') throw new UnknownUser(login);
      created.push(call.id);
      return {};
    },
    check: async () => ({ who: '', missing: [] }),
  };
  const settings = { KIND: 'odoo', URL: 'http://127.0.0.1:1', USER: 'u', TOKEN: 't', DATABASE: 'd' };
  const connection = connectTo({ ...settings, USERS: '1105=rui,1106=marta' }).get('crm')!;
  const store = openMemoryStore();
  const placedAt = Date.parse('2026-11-23T12:00:00Z');
  const now = placedAt + wrapUpWindowMs;
  const placeAndEnd = async (from: string) => {
    const { call, ...intent } = clientIntent(from, { logSystems: ['crm'], now: placedAt });
    const record = { system: 'crm', kind: 'res.partner', id: call.id, url: 'https://crm.example' };
    await store.calls.place({ ...intent, call: { ...call, record } });
    await store.calls.apply({ callId: call.id, fact: hungUp, now: placedAt });
    return call.id;
  };
  const connections = new Map([['crm', { ...connection, connector }]]);
  const logger = silentLogger({ connections, store, now: () => now });
  for (let n = 0; n < 4; n++) await placeAndEnd('1105');
  logger.wake();
  await until(() => refused.length === 4, 'the refusals');
  const other = await placeAndEnd('1106');
  logger.wake();
  await until(() => created.includes(other), 'the entry of the other agent');
  await logger.stop();
  await store.close();
  expect(created).toEqual([other]);
});
