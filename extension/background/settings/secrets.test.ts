import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { Settings } from '../../settings.ts';

vi.stubGlobal('__BROWSER__', 'firefox');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { bindSecrets, readSecret, secretState, writeSecret } = await import('./secrets.ts');

const withRelay = (relayUrl?: string) => Settings.parse({ connection: { relayUrl } });
const own = withRelay('https://relay.example/dialmark');

beforeEach(async () => {
  for (const name of ['agentKey', 'serviceToken'] as const) await writeSecret(name, null, own);
});

test('a key goes only to the relay that it was saved for', async () => {
  await writeSecret('agentKey', ' dmk_1 ', own);
  const other = withRelay('https://relay.evil.example');
  expect(await readSecret('agentKey', other)).toBeUndefined();
  expect(await secretState('agentKey', other)).toBe('otherAddress');
  expect(await readSecret('agentKey', own)).toBe('dmk_1');
  expect(await readSecret('agentKey', withRelay('https://relay.example/moved'))).toBe('dmk_1');

  await writeSecret('agentKey', 'dmk_2', other);
  expect(await readSecret('agentKey', other)).toBe('dmk_2');
  expect(await secretState('agentKey', own)).toBe('otherAddress');
});

test('a key that was saved before any address is for the first one that is set', async () => {
  await writeSecret('agentKey', 'dmk_1', withRelay());
  expect(await secretState('agentKey', withRelay())).toBe('saved');
  await bindSecrets(own);
  expect(await readSecret('agentKey', own)).toBe('dmk_1');
  expect(await readSecret('agentKey', withRelay('https://other.example'))).toBeUndefined();
});

test('a key that was saved before any address is not bound by an address that is only tested', async () => {
  await writeSecret('agentKey', 'dmk_1', withRelay());
  const tested = withRelay('https://tested.example');
  expect(await readSecret('agentKey', tested)).toBe('dmk_1');
  expect(await secretState('agentKey', tested)).toBe('saved');
  await bindSecrets(own);
  expect(await readSecret('agentKey', own)).toBe('dmk_1');
  expect(await secretState('agentKey', tested)).toBe('otherAddress');
});

test('a token goes to none of the addresses once one of them is new', async () => {
  const cloud = (secondaryUrl: string) =>
    Settings.parse({
      connection: { mode: 'direct', direct: { primaryUrl: 'https://one.example', secondaryUrl } },
    });
  await writeSecret('serviceToken', 'token', cloud('https://two.example'));
  expect(await readSecret('serviceToken', cloud('https://two.example'))).toBe('token');
  expect(await readSecret('serviceToken', cloud('https://evil.example'))).toBeUndefined();
});
