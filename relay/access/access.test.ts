import { describe, expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import { makeCapability, openCapability } from './capability.ts';
import { Keyring } from './keyring.ts';
import { makeTicket, openTicket } from './ticket.ts';

const [current, previous, stranger] = ['c', 'p', 's'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
];
const keyring = new Keyring([current]);
const now = Date.parse('2026-11-21T10:00:00Z');
const claims = { site: 'site-1', from: '1105', rights: ['watch' as const], expires: now + 60_000 };

describe('a capability', () => {
  it('opens to its call until it expires', () => {
    const id = newCallId();
    const capability = makeCapability(keyring, id, 3600, now);
    expect(capability).toMatch(/^[A-Za-z0-9_.-]{60,128}$/);
    expect(openCapability(keyring, capability, now)).toBe(id);
    expect(openCapability(keyring, capability, now + 25 * 3_600_000 - 1)).toBe(id);
    expect(openCapability(keyring, capability, now + 25 * 3_600_000 + 60_000)).toBeUndefined();
  });

  it('is forged by no change of a single bit, nor by a missing or added character', () => {
    const capability = makeCapability(keyring, newCallId(), 3600, now);
    for (let index = 0; index < capability.length; index++) {
      for (let bit = 0; bit < 7; bit++) {
        const changed = String.fromCharCode(capability.charCodeAt(index) ^ (1 << bit));
        const forged = capability.slice(0, index) + changed + capability.slice(index + 1);
        expect(openCapability(keyring, forged, now)).toBeUndefined();
      }
      expect(
        openCapability(keyring, capability.slice(0, index) + capability.slice(index + 1), now),
      ).toBeUndefined();
    }
    expect(openCapability(keyring, `${capability}A`, now)).toBeUndefined();
  });

  it('made with the previous secret is good after a rotation, and not after the next', () => {
    const id = newCallId();
    const capability = makeCapability(new Keyring([previous]), id, 3600, now);
    expect(openCapability(new Keyring([current, previous]), capability, now)).toBe(id);
    expect(openCapability(new Keyring([stranger, current]), capability, now)).toBeUndefined();
  });

  it('is no ticket, and a ticket is no capability, though one secret signs both', () => {
    const capability = makeCapability(keyring, newCallId(), 3600, now);
    expect(openTicket(keyring, `dmt_${capability}`)).toBeUndefined();
    const ticket = makeTicket(keyring, claims);
    expect(openCapability(keyring, ticket.slice('dmt_'.length), now)).toBeUndefined();
    expect(keyring.verify('notification', keyring.sign('ticket', 'x.y'))).toBeUndefined();
  });
});

describe('a ticket', () => {
  it('says what it allows, only to a relay that knows its secret', () => {
    const ticket = makeTicket(keyring, claims);
    expect(openTicket(keyring, ticket)).toEqual(claims);
    expect(openTicket(new Keyring([stranger]), ticket)).toBeUndefined();
    expect(openTicket(new Keyring([stranger, current]), ticket)).toEqual(claims);
  });

  it('differs from every other, though it allows the same', () => {
    expect(makeTicket(keyring, claims)).not.toBe(makeTicket(keyring, claims));
  });
});
