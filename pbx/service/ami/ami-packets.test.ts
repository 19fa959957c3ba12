import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amiDecoder, encodeAction, maxPacketBytes } from './ami-packets.ts';

const greeting = 'Asterisk Call Manager/5.0.4\r\n';

describe('encodeAction', () => {
  it('writes one line a value, repeated names included', () => {
    expect(encodeAction({ Action: 'Originate', Variable: ['A=1', 'B=2'] })).toBe(
      'Action: Originate\r\nVariable: A=1\r\nVariable: B=2\r\n\r\n',
    );
  });

  it.each(['1105\r\nAction: Hangup', 'a\nb', 'a\rb', 'a\0b'])('refuses %j as a value', (value) => {
    expect(() => encodeAction({ Exten: value })).toThrow('expected no control characters in Exten');
  });

  it('never writes more lines than it was given fields, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (value) => {
        try {
          expect(encodeAction({ Exten: value }).split('\r\n')).toHaveLength(3);
        } catch (error) {
          expect((error as Error).message).toMatch('control characters');
        }
      }),
    );
  });
});

describe('amiDecoder', () => {
  const stream = `${greeting}Event: Newstate\r\nChannel: PJSIP/1105-1\r\n\r\nResponse: Success\r\nMessage: a: b\r\n\r\n`;

  it('reads the same packets wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
        const decoder = amiDecoder();
        const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
        const packets = places
          .slice(1)
          .flatMap((end, index) => decoder.push(stream.slice(places[index], end)));
        expect(packets.map((packet) => ({ ...packet }))).toEqual([
          { Event: 'Newstate', Channel: 'PJSIP/1105-1' },
          { Response: 'Success', Message: 'a: b' },
        ]);
      }),
    );
  });

  it('rejects another protocol by its greeting', () => {
    expect(() => amiDecoder().push('HTTP/1.1 400 Bad Request\r\n')).toThrow('expected the greeting');
  });

  it('rejects a packet without an end', () => {
    const decoder = amiDecoder();
    decoder.push(greeting);
    expect(() => decoder.push('x'.repeat(maxPacketBytes + 1))).toThrow('at most');
  });

  it('keeps names of the prototype as plain data', () => {
    const [packet] = amiDecoder().push(`${greeting}__proto__: x\r\nconstructor: y\r\n\r\n`);
    expect(Object.getPrototypeOf(packet)).toBe(null);
    expect(packet?.constructor).toBe('y');
  });

  it('reads any text without an error of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        for (const packet of amiDecoder().push(greeting + text)) expect(typeof packet).toBe('object');
      }),
    );
  });
});
