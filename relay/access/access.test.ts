import { describe, expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import { makeCapability, openCapability } from './capability.ts';
import { Signer } from './signer.ts';
import { makeTicket, openTicket } from './ticket.ts';

const [current, previous, unrelated] = ['c', 'p', 's'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
];
const signer = new Signer([current]);
const now = Date.parse('2026-11-21T10:00:00Z');
const claims = { site: 'site-1', from: '1105', rights: ['watch' as const], expires: now + 60_000 };

describe('a capability', () => {
  it('yields its call until it expires', () => {
    const id = newCallId();
    const capability = makeCapability(signer, id, 3600, now);
    expect(capability).toMatch(/^[A-Za-z0-9_.-]{60,128}$/);
    expect(openCapability(signer, capability, now)).toEqual({ callId: id, placedBy: 'relay' });
    const ofClient = makeCapability(signer, id, 3600, now, 'client');
    expect(openCapability(signer, ofClient, now)).toEqual({ callId: id, placedBy: 'client' });
    expect(openCapability(signer, capability, now + 25 * 3_600_000 - 1)).toBeDefined();
    expect(openCapability(signer, capability, now + 25 * 3_600_000 + 60_000)).toBeUndefined();
  });

  it('is invalid after any change of a bit, a missing or an added character', () => {
    const capability = makeCapability(signer, newCallId(), 3600, now);
    for (let index = 0; index < capability.length; index++) {
      for (let bit = 0; bit < 7; bit++) {
        const changed = String.fromCharCode(capability.charCodeAt(index) ^ (1 << bit));
        const forged = capability.slice(0, index) + changed + capability.slice(index + 1);
        expect(openCapability(signer, forged, now)).toBeUndefined();
      }
      expect(
        openCapability(signer, capability.slice(0, index) + capability.slice(index + 1), now),
      ).toBeUndefined();
    }
    expect(openCapability(signer, `${capability}A`, now)).toBeUndefined();
  });

  it('made with the previous secret is valid after one rotation, not after two', () => {
    const id = newCallId();
    const capability = makeCapability(new Signer([previous]), id, 3600, now);
    expect(openCapability(new Signer([current, previous]), capability, now)).toMatchObject({ callId: id });
    expect(openCapability(new Signer([unrelated, current]), capability, now)).toBeUndefined();
  });

  it('is no ticket, nor a ticket a capability, under the same secret', () => {
    const capability = makeCapability(signer, newCallId(), 3600, now);
    expect(openTicket(signer, `dmt_${capability}`)).toBeUndefined();
    const ticket = makeTicket(signer, claims);
    expect(openCapability(signer, ticket.slice('dmt_'.length), now)).toBeUndefined();
    expect(signer.verify('notification', signer.sign('ticket', 'x.y'))).toBeUndefined();
  });
});

describe('a ticket', () => {
  it('yields its claims only under the secret that signed it', () => {
    const ticket = makeTicket(signer, claims);
    expect(openTicket(signer, ticket)).toEqual(claims);
    expect(openTicket(new Signer([unrelated]), ticket)).toBeUndefined();
    expect(openTicket(new Signer([unrelated, current]), ticket)).toEqual(claims);
  });

  it('differs from another with the same claims', () => {
    expect(makeTicket(signer, claims)).not.toBe(makeTicket(signer, claims));
  });
});
