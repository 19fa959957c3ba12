import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readWebhookSecret, signedHeaders } from './sign.ts';

const written = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('a webhook secret', () => {
  it.each([24, 32, 33, 64])('has %i bytes after its prefix', (bytes) => {
    expect(readWebhookSecret(written(bytes))).toHaveLength(bytes);
  });

  it.each([
    written(23),
    written(65),
    written(32).slice(6),
    `${written(32)}!`,
    'whsec_',
    `whsec_${'not base64 at all, however long it is'}`,
  ])('is not %s', (text) => {
    expect(() => readWebhookSecret(text)).toThrow('whsec_');
  });
});

describe('a signature', () => {
  it('is over id, time, body, once per secret, the current one first', () => {
    const [current, previous] = [randomBytes(32), randomBytes(24)];
    const headers = signedHeaders('msg_1', 1_700_000_000_999, '{"é":1}', [current, previous]);
    const by = (key: Buffer) =>
      `v1,${createHmac('sha256', key).update('msg_1.1700000000.{"é":1}', 'utf8').digest('base64')}`;
    expect(headers).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `${by(current)} ${by(previous)}`,
    });
  });
});
