import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../shared/server/project-file.ts';
import type { Child } from '../../testing/child.ts';
import {
  announce,
  ask,
  hangup,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';

interface ProxySetup {
  /** For its configuration and whatever it writes. */
  folder: TemporaryFolder;
  /** Where it listens, on loopback. */
  port: number;
  relayPort: number;
}

/** Of the proxy for a byte of the relay: less than the test waits, more than the promised pause between comments. */
const readTimeoutSeconds = 15;

describe.each([
  { name: 'Caddy', start: startCaddy, accessLog: 'relay.log' },
  { name: 'nginx', start: startNginx, accessLog: 'dialmark.log' },
])('the relay behind $name as documented', ({ start, accessLog }) => {
  let folder: ProxySetup['folder'];
  let relay: TestRelay;
  let proxy: Child;
  let outside: string;
  let agent: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    relay = await startTestRelay({ TRUSTED_PROXIES: '127.0.0.1', MAX_FAILED_REQUESTS_PER_MINUTE: '3' });
    const port = await freePort();
    outside = `http://127.0.0.1:${port}`;
    proxy = await start({ folder, port, relayPort: Number(new URL(relay.url).port) });
    agent = await relay.agent('1105');
  });
  afterAll(async () => {
    await relay?.stop();
    await proxy?.stop();
    await folder?.remove();
  });

  /** The relay's answer to a wrong key that comes from this address. */
  const guess = async (localAddress: string, headers: Record<string, string> = {}) => {
    const asked = request(`${outside}/v1/calls`, {
      localAddress,
      headers: { authorization: 'Bearer wrong', ...headers },
    }).end();
    const [response] = await once(asked, 'response');
    await text(response);
    return response.statusCode as number;
  };

  it('pushes an event at once, without buffering on the way', async () => {
    const reader = await readEvents(outside, agent);
    // Each is written only after the one before was read: one that is held back would hold up everything.
    for (let n = 0; n < 5; n++) {
      const { path } = await announce(outside, agent);
      await reader.until(2 * n + 1);
      await ask(outside, path, { body: hangup() });
      await reader.until(2 * n + 2);
    }
    reader.close();
  });

  it('keeps an idle stream open beyond the time-out of the proxy', async () => {
    const reader = await readEvents(outside, agent);
    const over = reader.ended.then(() => 'over');
    const waited = new Promise((resolve) => setTimeout(resolve, (readTimeoutSeconds + 2) * 1000, 'open'));
    expect(await Promise.race([over, waited])).toBe('open');
    const before = reader.frames.length;
    await announce(outside, agent);
    await reader.until(before + 1);
    reader.close();
  });

  it('identifies the client despite forged headers', async () => {
    const [guesser, other] = ['127.0.0.2', '127.0.0.3'] as const;
    const statuses = [];
    for (let n = 0; n < 4; n++)
      statuses.push(await guess(guesser, { 'x-forwarded-for': `${other}, 203.0.113.${n}` }));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await guess(other)).toBe(401);
  });

  it('rejects a body above the limit', async () => {
    const { path } = await announce(outside, agent);
    for (const size of [70_000, 1_000_000])
      expect((await ask(outside, path, { body: hangup({ x: 'x'.repeat(size) }) })).status).toBe(413);
  });

  it.each(['/metrics', '/status', '/status.json'])('does not expose %s', async (path) => {
    expect((await ask(outside, path)).status).toBe(404);
  });

  // Last, since it ends the relay.
  it('keeps capabilities out of every log, also while the relay is down', async () => {
    const { path } = await announce(outside, agent);
    expect((await ask(outside, path, { body: hangup() })).status).toBe(200);
    await relay.stop();
    expect((await ask(outside, path, { body: hangup() })).status).toBe(502);
    await proxy.stop();
    const access = await folder.read(accessLog);
    expect(access.match(/\/h\/v1\/\[hidden\]/g)?.length).toBeGreaterThanOrEqual(2);
    expect(access + proxy.output()).not.toContain(path.split('.').at(-1)!);
    expect(access + proxy.output()).not.toContain(agent);
  });
});

/** docs/deploy/Caddyfile as it is, but for what belongs to a machine: address, log file, the relay's port, its own control port. */
async function startCaddy({ folder, port, relayPort }: ProxySetup) {
  const published = await readFile(projectFile('docs/deploy/Caddyfile'), 'utf8');
  const adapted = published
    .replace('\n{\n', '\n{\n\tadmin off\n\tgrace_period 1s\n')
    .replace('relay.example {', `http://127.0.0.1:${port} {`)
    .replace('127.0.0.1:8787', `127.0.0.1:${relayPort}`)
    .replace('/var/log/caddy/', `${folder.path}/`)
    .replace('read_timeout 660s', `read_timeout ${readTimeoutSeconds}s`);
  await writeFile(folder.file('Caddyfile'), adapted);
  return startServer(['caddy', 'run', '--adapter', 'caddyfile', '--config', folder.file('Caddyfile')], {
    ready: port,
    debian: 'caddy',
    environment: { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
  });
}

/** docs/deploy/nginx.conf as it is, but for what belongs to a machine: port, certificate, log files, the relay's port. */
async function startNginx({ folder, port, relayPort }: ProxySetup) {
  const published = await readFile(projectFile('docs/deploy/nginx.conf'), 'utf8');
  const adapted = published
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ {2}ssl_.*$/gm, '')
    .replace('server 127.0.0.1:8787;', `server 127.0.0.1:${relayPort};`)
    .replaceAll('/var/log/nginx/', `${folder.path}/`)
    .replace('proxy_read_timeout 60s;', `proxy_read_timeout ${readTimeoutSeconds}s;`);
  await mkdir(folder.file('temporary'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder.path}/temporary;`)
    .join('\n');
  await writeFile(
    folder.file('nginx.conf'),
    `daemon off; pid ${folder.path}/nginx.pid; error_log stderr;
     events { worker_connections 1000; }
     http { ${temporary}
     ${adapted} }`,
  );
  return startServer(['nginx', '-p', folder.path, '-c', folder.file('nginx.conf')], {
    ready: port,
    debian: 'nginx-light',
  });
}
