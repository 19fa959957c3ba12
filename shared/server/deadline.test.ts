import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { stopProcess } from '../../testing/stop-process.ts';
import { deadlineSignal, startDeadline } from './deadline.ts';

it('is later than an answer that came while the process was stopped', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [peer] = await once(server, 'connection');
  const order: string[] = [];
  client.on('data', () => order.push('answer'));
  const late = new Promise<void>((resolve) =>
    startDeadline(20, () => {
      order.push('late');
      resolve();
    }),
  );
  await new Promise((sent) =>
    peer.write('answer', () => {
      stopProcess(40);
      sent(undefined);
    }),
  );
  await late;
  expect(order).toEqual(['answer', 'late']);
  client.destroy();
  server.close();
});

it('does not come once the wait has ended', async () => {
  const { signal, end } = deadlineSignal(1);
  stopProcess(5);
  end();
  await new Promise((resolve) => startDeadline(5, () => resolve(undefined)));
  expect(signal.aborted).toBe(false);
});
