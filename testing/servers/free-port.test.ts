import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('returns the preferred port while it is free, another one once it is taken', async () => {
  const port = await freePort(0);
  expect(await freePort(port)).toBe(port);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const other = await freePort(port);
  expect(other).not.toBe(port);
  expect(other).toBeGreaterThan(0);
  await new Promise((resolve) => server.close(resolve));
});
