/** The connector for Tryton, and its names, at a real one. */
import { expect, it } from 'vitest';
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startTryton } from '../../../testing/crm/real-tryton.ts';
import { crmSourceContract } from '../../../testing/directory/crm-source-contract.ts';
import { trytonSource } from '../../directory/sources/tryton.ts';

const world = connectorContract(startTryton);
crmSourceContract(() => world().crm, trytonSource);

it('logs on an archived party, but names the one that a merged party goes on as', async () => {
  const { crm, log } = world();
  const archived = await crm.addRecord();
  await crm.people!.archive(archived);
  await log(archived, 'done');
  const merged = await crm.addRecord();
  await crm.merge(merged, crm.records[0]);
  const { entry } = await log(merged, 'needsAgent');
  expect((await entry())!.reason).toBe(`merged:${crm.records[0]}`);
});

it('says of a deleted party that it is gone', async () => {
  const { crm, log } = world();
  const deleted = await crm.addRecord();
  await crm.people!.remove!(deleted);
  const { entry } = await log(deleted, 'needsAgent');
  expect((await entry())!.reason).toBe('notFound');
});

it('names at a check the records of templates where none of them is installed', async () => {
  const { connector, client } = world().connect();
  const { missing } = await connector.check(client, ['helpdesk.ticket']);
  expect(missing).toEqual(['records helpdesk.ticket']);
});
