/** Who asked not to be called is not: no phone gets an INVITE, in whatever form the number is dialled. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPhoneLab, type PhoneLab } from '../../testing/asterisk/phone-lab.ts';
import type { SipPhone } from '../../testing/asterisk/sip-phone.ts';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { until } from '../../testing/until.ts';

let lab: PhoneLab;
let relay: TestRelay;
let agent: SipPhone;
let far: SipPhone;
let key: string;
beforeAll(async () => {
  const relayPort = await freePort();
  lab = await openPhoneLab(['1105'], [`127.0.0.1:${relayPort}`]);
  relay = await startTestRelay({
    LISTEN: `127.0.0.1:${relayPort}`,
    COUNTRY: 'BR',
    DIAL_OUTSIDE_PREFIX: '0',
    PROVIDER_URL: lab.service.url,
    PROVIDER_TOKEN: lab.service.token,
  });
  key = await relay.member('1105', { name: 'Marta' });
  [agent, far] = [await lab.phone('agent'), await lab.phone('far', { talkMs: 200 })];
});
afterAll(async () => {
  await relay?.stop();
  await lab?.close();
});

const carriers = ['', '15', '21', '31', '41'];
const outsideLines = ['', '0'];

/** Digits by which a line in Brazil may reach a Brazilian number. */
function waysToDial(national: string): string[] {
  const old = national.replace(/^(\d\d)9(\d{8})$/, '$1$2');
  const forms = [...new Set([national, old])].flatMap((each) => [
    each,
    `55${each}`,
    ...carriers.flatMap((carrier) => [`0${carrier}${each}`, `00${carrier}55${each}`]),
  ]);
  return [...new Set(outsideLines.flatMap((prefix) => forms.map((form) => prefix + form)))];
}

const place = (to: string) => relay.ask('/v1/calls', { as: key, body: { to }, headers: newClick() });

it('never rings a phone for a listed number, but rings for the one beside it', async () => {
  const listed = ['11987651001', '4832221001', '11987651003', '11987651004', '21987651005'];
  for (const body of [
    { number: '(11) 98765-1001' },
    { number: '+55 48 3222-1001' },
    { number: '0 15 11 98765-1003' },
    { number: '11 8765 1004' },
    { prefix: '+552198765' },
  ])
    expect((await relay.ask('/v1/rules/do-not-call', { as: key, body })).status).toBe(201);
  const dialled = listed.flatMap(waysToDial);
  expect(dialled.length).toBeGreaterThan(150);
  for (const to of dialled) {
    const { status, body } = await place(to);
    expect([to, status, body.code]).toEqual([to, 403, 'doNotCall']);
  }
  const unlisted = ['11987652001', '0154832222001'];
  for (const to of unlisted) {
    const { status, body } = await place(to);
    expect([to, status]).toEqual([to, 201]);
    await until(
      async () => (await relay.ask(`/v1/calls/${body.id}`, { as: key })).body.state === 'disconnected',
      `the end of the call to ${to}`,
      30_000,
    );
  }
  // Each of these calls came after all refused ones: what those had started would have rung before.
  expect(await agent.invites()).toBe(unlisted.length);
  expect((await far.calls()).map(({ to }) => to)).toEqual(unlisted);
}, 180_000);
