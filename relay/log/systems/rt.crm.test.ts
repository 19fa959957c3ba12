/** The connector for Request Tracker, and its names, at a real one. */
import { expect, it } from 'vitest';
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startRt } from '../../../testing/crm/real-rt.ts';
import { crmSourceContract } from '../../../testing/directory/crm-source-contract.ts';
import { rtSource } from '../../directory/sources/request-tracker.ts';

const world = connectorContract(startRt);
crmSourceContract(() => world().crm, rtSource);

it('names the ticket that a merged one goes on as', async () => {
  const { crm, log } = world();
  await crm.merge('2', '1');
  const { entry } = await log('2', 'needsAgent');
  expect((await entry())!.reason).toBe('merged:1');
});

it('says of a ticket that was deleted that it is', async () => {
  const { crm, log } = world();
  const ticket = await crm.addRecord();
  await crm.remove(ticket);
  const { entry } = await log(ticket, 'needsAgent');
  expect((await entry())!.reason).toBe('deleted');
});

it('logs by a token until it is revoked, which is reported at once', async () => {
  const { crm, connect, entryOn } = world();
  const { token, revoke } = await crm.addToken();
  const { connector, client } = connect({ USER: '', TOKEN: token });
  expect((await connector.check(client, ['ticket'])).who).toMatch(/as root$/);
  await connector.create(entryOn(0), client);
  await revoke();
  const refused = { kind: 'misconfigured', reason: 'unauthorized' };
  await expect(connector.create(entryOn(0), client)).rejects.toMatchObject(refused);
  await expect(connector.find!(entryOn(0), client)).rejects.toMatchObject(refused);
});
