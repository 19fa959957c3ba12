import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeOdoo } from '../crm/fake-odoo.ts';
import { startFakeRedmine } from '../crm/fake-redmine.ts';
import { startFakeProvider } from './fake-provider.ts';

it.each([
  ['fake provider', '/call', startFakeProvider],
  ['fake Redmine', '/issues/1.json', () => startFakeRedmine('1')],
  ['fake Odoo', '/jsonrpc', () => startFakeOdoo([])],
])('a %s survives a client that dies within its body', async (_name, path, start) => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const server = await start();
  const { port, host } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 50\r\n\r\n{"from"`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await ('stop' in server ? server.stop() : server.close());
  expect(rejections).toEqual([]);
});
