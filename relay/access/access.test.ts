import { describe, expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import { makeCapability, openCapability } from './capability.ts';
import { Signer } from './signer.ts';
import { makeTicket, openTicket } from './ticket.ts';

const [current, previous, stranger] = ['c', 'p', 's'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
];
const signer = new Signer([current]);
const now = Date.parse('2026-11-21T10:00:00Z');
const claims = { site: 'site-1', from: '1105', rights: ['watch' as const], expires: now + 60_000 };

describe('a capability', () => {
  it('opens to its call until it expires', () => {
    const id = newCallId();
    const capability = makeCapability(signer, id, 3600, now);
    expect(capability).toMatch(/^[A-Za-z0-9_.-]{60,128}$/);
    expect(openCapability(signer, capability, now)).toBe(id);
    expect(openCapability(signer, capability, now + 25 * 3_600_000 - 1)).toBe(id);
    expect(openCapability(signer, capability, now + 25 * 3_600_000 + 60_000)).toBeUndefined();
  });

  it('is forged by no change of a single bit, nor by a missing or added character', () => {
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

  it('made with the previous secret is good after a rotation, and not after the next', () => {
    const id = newCallId();
    const capability = makeCapability(new Signer([previous]), id, 3600, now);
    expect(openCapability(new Signer([current, previous]), capability, now)).toBe(id);
    expect(openCapability(new Signer([stranger, current]), capability, now)).toBeUndefined();
  });

  it('is no ticket, and a ticket is no capability, though one secret signs both', () => {
    const capability = makeCapability(signer, newCallId(), 3600, now);
    expect(openTicket(signer, `dmt_${capability}`)).toBeUndefined();
    const ticket = makeTicket(signer, claims);
    expect(openCapability(signer, ticket.slice('dmt_'.length), now)).toBeUndefined();
    expect(signer.verify('notification', signer.sign('ticket', 'x.y'))).toBeUndefined();
  });
});

describe('a ticket', () => {
  it('says what it allows, only to a relay that knows its secret', () => {
    const ticket = makeTicket(signer, claims);
    expect(openTicket(signer, ticket)).toEqual(claims);
    expect(openTicket(new Signer([stranger]), ticket)).toBeUndefined();
    expect(openTicket(new Signer([stranger, current]), ticket)).toEqual(claims);
  });

  it('differs from every other, though it allows the same', () => {
    expect(makeTicket(signer, claims)).not.toBe(makeTicket(signer, claims));
  });
});
