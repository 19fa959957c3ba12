/** The connector for Odoo, and its names, at a real one. */
import { expect, it } from 'vitest';
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startOdoo } from '../../../testing/crm/real-odoo.ts';
import { crmSourceContract } from '../../../testing/directory/crm-source-contract.ts';
import { odooSource } from '../../directory/sources/odoo.ts';

const world = connectorContract(startOdoo);
crmSourceContract(() => world().crm, odooSource);

it('logs on an archived contact, but calls a deleted one gone', async () => {
  const { crm, log } = world();
  const [archived, deleted] = [await crm.addRecord(), await crm.addRecord()];
  await crm.people!.archive(archived);
  await log(archived, 'done');
  await crm.people!.remove!(deleted);
  const { entry } = await log(deleted, 'needsAgent');
  expect((await entry())!.reason).toBe('notFound');
});

it('names at a check the records of templates where none of them is installed', async () => {
  const { connector, client } = world().connect();
  const { missing } = await connector.check(client, ['helpdesk.ticket']);
  expect(missing).toEqual(['records helpdesk.ticket']);
});

it('names at a check a login of _USERS that does not exist', async () => {
  const { connector, client } = world().connect({ USERS: '1105=rui,1106=removed' });
  const refused = { kind: 'misconfigured', reason: 'unknownUser:removed' };
  await expect(connector.check(client, [world().crm.kind])).rejects.toMatchObject(refused);
});
