import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { portOrFree } from './port-or-free.ts';

it('gives the port asked for while it is free, and another once it is taken', async () => {
  const port = await portOrFree(0);
  expect(await portOrFree(port)).toBe(port);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const other = await portOrFree(port);
  expect(other).not.toBe(port);
  expect(other).toBeGreaterThan(0);
  await new Promise((resolve) => server.close(resolve));
});
