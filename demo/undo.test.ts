import { afterEach, expect, it, vi } from 'vitest';
import { endOnSignals } from './undo.ts';

afterEach(() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
  vi.restoreAllMocks();
});

it('ends what was started in reverse order, each once, whatever fails among it', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { undo } = endOnSignals();
  const ended: string[] = [];
  undo.add('the folder', () => ended.push('folder'));
  undo.add('the relay', () => Promise.reject(new Error('it hangs')));
  undo.add('the browser', () => ended.push('browser'));
  await Promise.all([undo.all(), undo.all()]);
  await undo.all();
  expect(ended).toEqual(['browser', 'folder']);
  expect(told).toHaveBeenCalledWith('  could not end the relay: it hangs');
});

it('ends also what is started while everything is being ended', async () => {
  const { undo } = endOnSignals();
  const ended: string[] = [];
  undo.add('first', () => undo.add('late', () => ended.push('late')));
  await undo.all();
  expect(ended).toEqual(['late']);
});

it('hears a signal', async () => {
  const { ended } = endOnSignals();
  process.emit('SIGTERM');
  expect(await ended).toBe('SIGTERM');
});
