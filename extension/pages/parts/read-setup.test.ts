import { expect, test } from 'vitest';
import { encodeSetupCode } from '../../../shared/protocol/setup-code.ts';
import { withValues } from '../../dotted-path.ts';
import { Settings } from '../../settings.ts';
import { noSetupEntry, readSetup, setupChanges } from './read-setup.ts';

const key = `dma_${'x'.repeat(43)}`;
const relayUrl = 'https://relay.example.com';
const typedFor = (callers: string[]) => encodeSetupCode({ relayUrl, callers, key });

test('reads nothing from an empty field', () => {
  expect(readSetup(noSetupEntry)).toEqual({});
});

test('names what is wrong with a code that is cut off', () => {
  expect(readSetup({ typed: typedFor(['1105']).slice(0, -3), from: '' })).toEqual({ problem: 'setup_wrong' });
});

test('fills in the one extension of a code', () => {
  expect(readSetup({ typed: typedFor(['1105']), from: '' }).setup).toEqual({
    relayUrl,
    key,
    from: '1105',
    numbers: {},
  });
});

test.each(['https://relay.example.com', 'https://RELAY.example.com/'])(
  'takes a code for the relay that the organisation set: %s',
  (locked) => {
    expect(readSetup({ typed: typedFor(['1105']), from: '' }, locked).setup).toMatchObject({ relayUrl, key });
  },
);

test.each(['https://other.example.com', 'https://relay.example.com/desk', 'http://relay.example.com', ''])(
  'refuses a code for another relay than the organisation set: %j',
  (locked) => {
    const read = readSetup({ typed: typedFor(['1105']), from: '' }, locked);
    expect(read).toEqual({ problem: 'setup_otherRelay' });
  },
);

test('waits for a choice where a code names several extensions', () => {
  const typed = typedFor(['1105', '1106']);
  expect(readSetup({ typed, from: '' })).toMatchObject({ problem: 'setup_choose' });
  expect(readSetup({ typed, from: '1106' }).setup).toEqual({ relayUrl, key, from: '1106', numbers: {} });
});

test('fills in the country with the area code of a code', () => {
  const numbers = { country: 'BR', areaCode: '48' } as const;
  const typed = encodeSetupCode({ relayUrl, callers: ['1105'], key, ...numbers });
  expect(readSetup({ typed, from: '' }).setup).toMatchObject({ numbers });
});

test.each([
  ['sets another country without the old area code', { country: 'AR' }, [], ['AR', undefined]],
  ['sets another country with its area code', { country: 'AR', areaCode: '11' }, [], ['AR', '11']],
  ['keeps the area code of a locked country', { country: 'AR' }, ['numbers.country'], ['BR', '48']],
  [
    'sets no area code of another country than the locked one',
    { country: 'AR', areaCode: '11' },
    ['numbers.country'],
    ['BR', '48'],
  ],
  ['keeps a locked area code', { country: 'AR', areaCode: '11' }, ['numbers.areaCode'], ['AR', '48']],
  ['sets an area code without a country', { areaCode: '21' }, [], ['BR', '21']],
] as const)('%s', (_, numbers, locked, [country, areaCode]) => {
  const settings = Settings.parse({
    numbers: { country: 'BR', areaCode: '48', extensions: [], dialRules: [] },
  });
  const changes = setupChanges({ relayUrl, key, from: '1105', numbers }, settings, locked);
  const changed = withValues(settings, Object.entries(changes));
  expect(changed.numbers).toEqual({ country, extensions: [], dialRules: [], ...(areaCode && { areaCode }) });
});
