import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { makeCertificate } from '../../testing/servers/make-certificate.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { withPrefix } from '../../testing/with-prefix.ts';
import { readRelaySettings } from '../settings.ts';
import { checkRelay } from './check.ts';

let folder: TemporaryFolder;
let provider: FakeProvider;
let relay: TestRelay;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startFakeProvider();
  const store = { STORE: `sqlite:${folder.file('relay.db')}` };
  relay = await startTestRelay(store);
  environment = {
    ...store,
    LISTEN: new URL(relay.url).host,
    PUBLIC_URL: relay.url,
    PROVIDER_URL: provider.url,
    PROVIDER_TOKEN: 'service-token',
  };
});
afterAll(async () => {
  await relay.stop();
  await provider.close();
  await folder.remove();
});
beforeEach(() => {
  provider.received.length = 0;
  provider.answer = (_call, response) => void response.writeHead(404).end();
});

/** One line for each result, with what is different from a setup in order. */
async function check(different: Record<string, string> = {}): Promise<string[]> {
  const settings = readRelaySettings(withPrefix('DIALMARK_', { ...environment, ...different }));
  return (await checkRelay(settings)).map(({ isOk, what, advice }) => `${isOk} ${what}: ${advice}`);
}

it('finds a relay in order, but the token untested, since a test would be a call', async () => {
  const results = await check();
  expect(results.map((line) => line.split(':')[0])).toEqual([
    'true calling service at http',
    `true store sqlite`,
    'true relay at http',
    'true public address http',
    'true clock',
    'untested service token',
  ]);
  expect(results.at(-1)).toMatch('cannot be tested without a call');
});

it('sends the provider nothing that could place a call', async () => {
  await check();
  expect(provider.received.map(({ method, headers }) => [method, headers.authorization])).toEqual([
    ['HEAD', undefined],
  ]);
});

it('finds a provider that is missing, unknown or silent', async () => {
  expect((await check({ PROVIDER_URL: '' }))[0]).toMatch(/^false .*DIALMARK_PROVIDER_URL is not set/);
  expect((await check({ PROVIDER_URL: 'http://no-such-name.invalid', ALLOW_PLAINTEXT: '1' }))[0]).toMatch(
    /^false .*name is not known \(DNS\); see DIALMARK_PROVIDER_URL$/,
  );
  const nothing = `http://127.0.0.1:${await freePort()}`;
  expect((await check({ PROVIDER_SECONDARY_URL: nothing }))[1]).toMatch(
    /^false .*nothing listens there.*; see DIALMARK_PROVIDER_SECONDARY_URL$/,
  );
});

it('finds a provider whose certificate is signed by no known authority', async () => {
  const { certificate, key } = await makeCertificate(folder.path, 'localhost');
  const server = createServer({ cert: await readFile(certificate), key: await readFile(key) });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    expect((await check({ PROVIDER_URL: `https://localhost:${port}` }))[0]).toMatch(
      /^false .*no authority that this machine trusts/,
    );
    // Spoken to in clear, a TLS server answers with something else or hangs up.
    expect((await check({ PROVIDER_URL: `http://localhost:${port}` }))[0]).toMatch(/^false /);
    expect((await check({ PROVIDER_URL: provider.url.replace('http:', 'https:') }))[0]).toMatch(
      /^false .*whether http:\/\/ or https:\/\/ is right/,
    );
  } finally {
    server.close();
  }
});

it('finds a clock that differs from the provider’s', async () => {
  provider.answer = (_call, response) => {
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.end();
  };
  expect((await check()).at(-2)).toMatch(/^false clock: .*3[56]\d\d s ahead of/);
});

it('finds a public address that is not this relay’s, or that the provider cannot reach', async () => {
  const other = await startTestRelay();
  const publicAddress = async (url: string, more: Record<string, string> = {}) =>
    (await check({ PUBLIC_URL: url, ...more })).find((line) => line.includes('public address'));
  expect(await publicAddress(other.url)).toMatch(/^false .*another relay/);
  expect(await publicAddress(provider.url)).toMatch(/^false .*HTTP 404 .*no relay/);
  expect(await publicAddress(`http://127.0.0.1:${await freePort()}`)).toMatch(
    /^false .*nothing listens there/,
  );
  const nowhere = { PUBLIC_URL: `http://192.168.255.254:${await freePort()}/dialmark` };
  expect((await check(nowhere)).filter((line) => line.startsWith('untested DIALMARK_PUBLIC_URL'))).toEqual([
    expect.stringContaining('plain http'),
    expect.stringContaining('a path in it'),
  ]);
  const farAway = { PROVIDER_URL: 'https://no-such-name.invalid' };
  expect(await publicAddress('', farAway)).toMatch(/^false .*cannot reach.*DIALMARK_PUBLIC_URL is not set/);
  await other.stop();
});

it('finds a missing store without making it, or one that the relay does not use', async () => {
  const missing = await check({ STORE: `sqlite:${folder.file('none.db')}` });
  expect(missing[1]).toMatch(/^false store sqlite:.*none\.db: there is none yet/);
  expect(missing[2]).toMatch(/^false relay .*another store/);
  expect((await check({ STORE: `sqlite:${folder.file('none.db')}` }))[1]).toMatch(/there is none yet/);
  const stopped = `127.0.0.1:${await freePort()}`;
  expect((await check({ LISTEN: stopped }))[2]).toMatch(/^false relay .*none answers; start it/);
});

it('finds a relay that accepts connections but hangs', async () => {
  const silent = createTcpServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 50));
  try {
    const results = await check({ LISTEN: `127.0.0.1:${port}`, PUBLIC_URL: `http://127.0.0.1:${port}` });
    expect(results.slice(2, 4)).toEqual([
      expect.stringMatching(/^false relay .*accepts connections, but does not answer.*start it again$/),
      expect.stringMatching(/^false public address .*accepts connections, but does not answer/),
    ]);
  } finally {
    vi.restoreAllMocks();
    silent.close();
  }
});
