import { vi } from 'vitest';

/** Repeats a check until it passes. A busy machine takes its time. @returns what the check returned. */
export const eventually = <T>(check: () => T): Promise<T> => vi.waitFor(check, { timeout: 60_000 });
