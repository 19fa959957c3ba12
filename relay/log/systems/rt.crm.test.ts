/** The connector for Request Tracker, at a real one. */
import { expect, it } from 'vitest';
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startRt } from '../../../testing/crm/real-rt.ts';

const world = connectorContract(startRt);

it('names the ticket that a merged one goes on as', async () => {
  const { crm, log } = world();
  await crm.merge('2', '1');
  const { entry } = await log('2', 'needsAgent');
  expect((await entry())!.reason).toBe('merged:1');
});
