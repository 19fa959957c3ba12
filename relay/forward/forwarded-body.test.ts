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
  forwardedBody(json, { callId, arrivedUnder: {}, ...more });

describe('the forwarded body', () => {
  it('keeps every token as it was written, and leaves out blanks between them', () => {
    const json = String.raw`{"n":12345678901234567890.10,"e":1E+400,"z":-0,"dup":1,"dup":2,"__proto__":{"a":[]},"s":"a\u00e9\/\ud800\"\\ \n","":null,"t":[true,false,{}],"é":"\\"}`;
    expect(forward(json)).toBe(json);
    expect(forward(` \n{ "a" : [ 1 , { "b c" : " , " } ] ,\t"d":{}\r}`)).toBe(
      '{"a":[1,{"b c":" , "}],"d":{}}',
    );
  });

  it('never has the capability, wherever and however it is written', () => {
    const escaped = [...address].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
    const json = `{"request":{"from":"1105","returnurl":"${address}","token":"t","deep":{"returnurl":"${address}"}},
      "request":{"return\\u0075rl":1,"x":[{"y":"see ${address}, twice ${encodeURIComponent(address)}"}]},
      "${address}":"${escaped}","other":"${callId}"}`;
    const body = forward(json);
    expect(body).not.toContain(capability);
    expect(JSON.stringify(JSON.parse(body))).not.toContain(capability);
    expect(body.slice(0, 18)).toBe('{"request":{"from"');
    expect(JSON.parse(body)).toMatchObject({
      request: { x: [{ y: expect.stringMatching(/^see https.*\[removed\], twice .*\[removed\]$/) }] },
      other: callId,
    });
    expect(body).not.toContain('"token"');
    expect(JSON.parse(body).request).not.toHaveProperty('returnurl');
  });

  it('takes the capability out of a request that came under another name', () => {
    const json = `{"echo":{"returnurl":"${address}","from":"1"},"request":{"returnurl":"x"}}`;
    expect(forward(json, { arrivedUnder: { request: 'echo' } })).toBe('{"echo":{"from":"1"},"request":{}}');
  });

  it('keeps a returnurl that is no member of the request and no capability', () => {
    const json = '{"returnurl":"https://own.example/","customer":[{"returnurl":"y"}]}';
    expect(forward(json)).toBe(json);
  });

  it('keeps the names that fields came under where it is not told to rename', () => {
    const json = '{"external":"p1","billsec":"4"}';
    expect(forward(json, { arrivedUnder: { callid: 'external' } })).toBe(json);
  });

  it('renames by the field, whatever name it came under, and loses none of the others', () => {
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

  it('never gives two members one name by renaming: the renamed field has it', () => {
    expect(forward('{"id":"stranger","callid":"p1"}', { rename: { callid: 'id' } })).toBe('{"id":"p1"}');
    expect(forward('{"callid":"old","x":"new"}', { arrivedUnder: { callid: 'x' }, rename: {} })).toBe(
      '{"callid":"new"}',
    );
  });

  it('takes no longer than its length for a hostile text', () => {
    const hostile = `${'a'.repeat(40_000)}.${callId}.${'b'.repeat(20_000)}`;
    expect(forward(`{"x":"${hostile}"}`)).toBe(`{"x":"${hostile}"}`);
  });
});
