import { writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { widgetRoutes } from './widget.ts';

it('serves the widget compressed to a browser that takes it so, under one tag', async () => {
  const folder = await temporaryFolder();
  const script = 'customElements.define("a-b", class {});\n'.repeat(500);
  await writeFile(folder.file('widget.js'), script);
  const app = Fastify();
  widgetRoutes(app, folder.path);
  const get = (headers: Record<string, string>) => app.inject({ url: '/widget.js', headers });

  const compressed = await get({ 'accept-encoding': 'br, gzip' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(script);
  expect(compressed.rawPayload.length).toBeLessThan(script.length / 10);
  const plain = await get({});
  expect([plain.headers['content-encoding'], plain.payload]).toEqual([undefined, script]);
  expect(plain.headers.etag).toBe(compressed.headers.etag);
  for (const refused of ['gzip;q=0', 'gzip; Q=0.000, br', 'identity, gzip ;q=0.0'])
    expect((await get({ 'accept-encoding': refused })).payload).toBe(script);
  for (const taken of ['gzip;q=0.001', 'GZIP', 'identity;q=0, gzip;q=1'])
    expect((await get({ 'accept-encoding': taken })).headers['content-encoding']).toBe('gzip');
  expect((await get({ 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304);

  await writeFile(folder.file('widget.js'), 'changed();');
  expect((await get({})).payload).toBe('changed();');

  await writeFile(folder.file('widget.tgz'), 'a package');
  const tgz = await app.inject({ url: '/widget.tgz', headers: { 'accept-encoding': 'gzip' } });
  expect([tgz.headers['content-type'], tgz.headers['content-encoding'], tgz.payload]).toEqual([
    'application/gzip',
    undefined,
    'a package',
  ]);
  await app.close();
  await folder.remove();
});
