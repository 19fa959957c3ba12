/** Requests that a process reads late, since it was stopped for a while, as a paused machine is. */
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const tickMs = 1000;
/** The shortest time that counts as a stop. A busy process is late by less, and clients wait longer. */
const minStopMs = 3000;
/** How long the process may read, after a stop, what arrived meanwhile. */
const catchUpMs = 5000;

/** @returns whether the client of a request gave up before the process, which was stopped, read it. */
export function watchLateRequests(app: FastifyInstance): (request: FastifyRequest) => Promise<boolean> {
  let [lastTick, resumedAt] = [Date.now(), 0];
  const tick = () => {
    const now = Date.now();
    if (now - lastTick > minStopMs) resumedAt = now;
    lastTick = now;
  };
  const timer = setInterval(tick, tickMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return async ({ raw: { socket } }) => {
    tick();
    if (lastTick - resumedAt > catchUpMs) return false;
    // The end of a connection is read one turn of the event loop after its request.
    await setImmediate();
    await setImmediate();
    return socket.destroyed || socket.readableEnded;
  };
}
