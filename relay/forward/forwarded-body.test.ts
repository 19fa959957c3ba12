import { describe, expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import { makeCapability } from '../access/capability.ts';
import { Signer } from '../access/signer.ts';
import { forwardedBody } from './forwarded-body.ts';

const callId = newCallId();
const capability = makeCapability(
  new Signer(['a secret that is long enough to sign']),
  callId,
  60,
  Date.now(),
);
const address = `https://relay.example/h/v1/${capability}`;
const forward = (json: string, more: Partial<Parameters<typeof forwardedBody>[1]> = {}) =>
  forwardedBody(JSON.parse(json), { callId, placedBy: 'relay', arrivedUnder: {}, ...more });

describe('the forwarded body', () => {
  it('keeps every string, object or list as it came', () => {
    const json = String.raw`{"n":12,"z":-1.5,"__proto__":{"a":[]},"s":"aé/\ud800\"\\ \n","":null,"t":[true,false,{}],"é":"\\"}`;
    expect(forward(json)).toBe(json);
    expect(forward(` \n{ "a" : [ 1 , { "b c" : " , " } ] ,\t"d":{}\r}`)).toBe(
      '{"a":[1,{"b c":" , "}],"d":{}}',
    );
  });

  it('says that a client placed the call, whatever the notification says of it', () => {
    expect(forward('{"event":"hangup","placedBy":"relay"}', { placedBy: 'client' })).toBe(
      '{"event":"hangup","placedBy":"client"}',
    );
    const rename = { event: 'placedBy' };
    expect(JSON.parse(forward('{"event":"hangup"}', { placedBy: 'client', rename })).placedBy).toBe('client');
  });

  it('never holds the capability of a call that a client placed', () => {
    const ofClient = makeCapability(
      new Signer(['a secret that is long enough to sign']),
      callId,
      60,
      Date.now(),
      'client',
    );
    const body = forward(`{"text":"https://relay.example/h/v1/${ofClient}"}`, { placedBy: 'client' });
    expect(JSON.parse(body).text).toBe('https://relay.example/h/v1/[removed]');
  });

  it('never holds the capability, wherever it is, however it is escaped', () => {
    const escaped = [...address].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
    const json = `{"request":{"from":"1105","returnurl":"${address}","token":"t","return\\u0075rl":1,"deep":{"returnurl":"${address}"},"x":[{"y":"see ${address}, twice ${encodeURIComponent(address)}"}]},
      "${address}":"${escaped}","other":"${callId}"}`;
    const body = forward(json);
    expect(body).not.toContain(capability);
    expect(JSON.stringify(JSON.parse(body))).not.toContain(capability);
    expect(JSON.parse(body)).toMatchObject({
      request: { x: [{ y: expect.stringMatching(/^see https.*\[removed\], twice .*\[removed\]$/) }] },
      other: callId,
    });
    expect(body).not.toContain('"token"');
    expect(JSON.parse(body).request).not.toHaveProperty('returnurl');
  });

  it('removes the secrets of a request that came under another name', () => {
    const json = `{"echo":{"returnurl":"${address}","from":"1"},"request":{"returnurl":"x"}}`;
    expect(forward(json, { arrivedUnder: { request: 'echo' } })).toBe('{"echo":{"from":"1"},"request":{}}');
  });

  it('keeps a returnurl that is neither a member of the request nor a capability', () => {
    const json = '{"returnurl":"https://own.example/","customer":[{"returnurl":"y"}]}';
    expect(forward(json)).toBe(json);
  });

  it('keeps the names that fields came under without a map', () => {
    const json = '{"external":"p1","billsec":"4"}';
    expect(forward(json, { arrivedUnder: { callid: 'external' } })).toBe(json);
  });

  it('renames by the field, whatever name it came under', () => {
    const arrivedUnder = { callid: 'external', from: 'to', to: 'from' };
    const json = '{"external":"p1","to":"1105","from":"99","billsec":4,"more":{"callid":"inside"}}';
    const rename = { callid: 'id', billsec: 'talk' };
    expect(forward(json, { arrivedUnder, rename })).toBe(
      '{"id":"p1","from":"1105","to":"99","talk":4,"more":{"callid":"inside"}}',
    );
    expect(forward(json, { arrivedUnder, rename: {} })).toBe(
      '{"callid":"p1","from":"1105","to":"99","billsec":4,"more":{"callid":"inside"}}',
    );
  });

  it('gives a name that two members would have to the renamed field', () => {
    expect(forward('{"id":"other","callid":"p1"}', { rename: { callid: 'id' } })).toBe('{"id":"p1"}');
    expect(forward('{"callid":"old","x":"new"}', { arrivedUnder: { callid: 'x' }, rename: {} })).toBe(
      '{"callid":"new"}',
    );
  });

  it('takes linear time for a hostile text', () => {
    const hostile = `${'a'.repeat(40_000)}.${callId}.${'b'.repeat(20_000)}`;
    expect(forward(`{"x":"${hostile}"}`)).toBe(`{"x":"${'a'.repeat(39_994)}[removed]"}`);
  });
});
