import { afterAll, expect, it } from 'vitest';
import { serveHttp } from '../../../testing/servers/serve-http.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { buildList } from './build-list.ts';

const folder = await temporaryFolder();
afterAll(() => folder.remove());

const build = (from: string) =>
  buildList({ list: { name: 'served', from, country: 'BR' }, path: folder.file('served.numbers') });

it('sends the login of an address to its own host alone', async () => {
  const logins: (string | undefined)[] = [];
  const other = await serveHttp(({ headers }, response) => {
    logins.push(headers.authorization);
    response.end('4832221111\n');
  });
  const server = await serveHttp(({ headers }, response) => {
    logins.push(headers.authorization);
    response.writeHead(302, { location: `${other.url.replace('127.0.0.1', 'localhost')}/list` }).end();
  });
  expect(await build(`${server.url.replace('//', '//rui:pass%20word@')}/list`)).toEqual({
    count: 1,
    unread: 0,
  });
  expect(logins).toEqual([`Basic ${Buffer.from('rui:pass word').toString('base64')}`, undefined]);
  await Promise.all([server.close(), other.close()]);
});

it('says why an address is not read, without its secrets', async () => {
  const { port, close } = await serveHttp(() => {});
  await close();
  await expect(build(`http://rui:secret@127.0.0.1:${port}/list?token=secret`)).rejects.toThrow(
    new Error('its address cannot be read (ECONNREFUSED)'),
  );
  await expect(build('http://rui:secret@127.0.0.1:99999/list')).rejects.toThrow(
    new Error('its address cannot be read'),
  );
});
