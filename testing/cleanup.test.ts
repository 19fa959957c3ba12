import { afterEach, expect, it, vi } from 'vitest';
import { Cleanup, firstSignal } from './cleanup.ts';

afterEach(() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
  vi.restoreAllMocks();
});

it('ends each entry once in reverse order when one of them fails', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const cleanup = new Cleanup();
  const ended: string[] = [];
  cleanup.add('the folder', () => ended.push('folder'));
  cleanup.add('the relay', () => Promise.reject(new Error('it hangs')));
  cleanup.add('the browser', () => ended.push('browser'));
  await Promise.all([cleanup.run(), cleanup.run()]);
  await cleanup.run();
  expect(ended).toEqual(['browser', 'folder']);
  expect(printed).toHaveBeenCalledWith('  could not end the relay: it hangs');
});

it('ends an entry that is added during the cleanup', async () => {
  const cleanup = new Cleanup();
  const ended: string[] = [];
  cleanup.add('first', () => cleanup.add('late', () => ended.push('late')));
  await cleanup.run();
  expect(ended).toEqual(['late']);
});

it('resolves at the first signal', async () => {
  const signal = firstSignal(new Cleanup());
  process.emit('SIGTERM');
  expect(await signal).toBe('SIGTERM');
});
