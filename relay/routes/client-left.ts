/** Whether the client of a request still waits for its answer. */
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';

/**
 * @returns true where its connection has ended. A process that was stopped, as a paused machine is, reads a request
 * long after its client gave up. It reads the end of that connection one turn of the event loop later.
 */
export async function hasClientLeft({ raw: { socket } }: FastifyRequest): Promise<boolean> {
  await setImmediate();
  await setImmediate();
  return socket.destroyed || socket.readableEnded;
}
