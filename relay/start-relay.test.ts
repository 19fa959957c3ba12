import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { startTestRelay } from '../testing/relay/test-relay.ts';
import { startRedis } from '../testing/servers/redis-server.ts';
import { serveHttp } from '../testing/servers/serve-http.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const folder = await temporaryFolder();
const people = folder.file('people.csv');
writeFileSync(people, 'Name,Phone\nAna,+5548999998888\n');
const redis = await startRedis();
const taken = await serveHttp((_request, response) => response.end());
afterAll(async () => {
  await Promise.all([redis.stop(), taken.close()]);
  await folder.remove();
});

const withDirectory = { COUNTRY: 'BR', DIRECTORY_TEAM_KIND: 'csv', DIRECTORY_TEAM_URL: people };

it('leaves its store to the next start where its directory cannot be opened', async () => {
  const STORE = `sqlite:${folder.file('relay.db')}`;
  const inTheWay = folder.file('relay.db.directory');
  mkdirSync(inTheWay);
  const start = () => startTestRelay({ ...withDirectory, STORE });
  await expect(start()).rejects.toThrow('EISDIR');
  rmdirSync(inTheWay);
  await (await start()).stop();
});

it('leaves no connection to Redis where its port is taken', async () => {
  const environment = {
    ...withDirectory,
    STORE: redis.url,
    SECRET: 'x'.repeat(32),
    LISTEN: `127.0.0.1:${taken.port}`,
  };
  await expect(startTestRelay(environment)).rejects.toThrow('expected a free port');
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  await expect.poll(async () => (await admin.clientList()).length).toBe(1);
  admin.destroy();
});
