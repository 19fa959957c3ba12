import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls until the value is truthy, and returns it. It is for states without an event for a driver.
 * @throws Error naming `what` after the timeout.
 */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (value !== null && value !== undefined && value !== false && value !== 0) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await pause(50);
  }
}
