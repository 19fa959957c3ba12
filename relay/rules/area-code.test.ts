/** Local numbers of a relay that knows its agents' area code from DIALMARK_AREA_CODE alone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../testing/relay/run-command.ts';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const folder = await temporaryFolder();
const environment = { STORE: `sqlite:${folder.file('relay.db')}`, COUNTRY: 'BR', AREA_CODE: '48' };
let relay: TestRelay;
beforeAll(async () => {
  relay = await startTestRelay(environment);
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

it('lists a local number for every way to dial it', async () => {
  expect((await runCommand(relay, environment, 'rules', 'add', '99999-1111')).out).toBe(
    '+5548999991111 listed\n',
  );
  const agent = await relay.agent('1105');
  for (const to of ['48999991111', '999991111', '5548999991111'])
    expect([to, (await call(to, agent)).status]).toEqual([to, 403]);
  expect((await call('11999991111', agent)).status).toBe(201);
});

const call = (to: string, as: string) =>
  relay.ask('/v1/calls', { as, body: { to, placedBy: 'client' }, headers: newClick() });
