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

it('counts the talk as time worked by a user with the documented rights alone', async () => {
  const { crm, connect, entryOn } = world();
  const settings = await crm.addUser('logger', 'ShowTicket', 'ShowTicketComments', 'CommentOnTicket');
  const { connector, client } = connect(settings);
  expect(await connector.check(client, ['ticket'])).toMatchObject({ missing: [] });
  const entry = entryOn(0);
  const before = await crm.minutesWorked(entry.record.id);
  await connector.create(entry, client);
  expect(await connector.find!(entry, client)).toBeDefined();
  expect(await crm.minutesWorked(entry.record.id)).toBe(before + 1);
});

it('calls the right to read comments untested at a check where RT shows no comment', async () => {
  const { crm, connect } = world();
  const { connector, client } = connect(await crm.addUser('blind', 'ShowTicket', 'CommentOnTicket'));
  const { missing, untested } = await connector.check(client, ['ticket']);
  expect([missing, untested]).toEqual([[], expect.stringContaining('ShowTicketComments')]);
});
