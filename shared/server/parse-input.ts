import type { z } from 'zod/mini';
import { commonProblem } from './problem.ts';

/** @throws HttpProblem 400 that names every field that is wrong. */
export function parseInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.infer<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw commonProblem('invalidFields', {
    errors: parsed.error.issues.slice(0, 20).map((issue) => ({
      path: issue.path.map(String).join('.').slice(0, 100),
      message: issue.message.slice(0, 300),
    })),
  });
}

/** Whether parsed JSON is nested deeper than `limit`. Without recursion: a hostile body must not exhaust the stack. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const entry of level)
      if (typeof entry === 'object' && entry !== null) {
        for (const member of Object.values(entry))
          if (typeof member === 'object' && member !== null) next.push(member);
      }
    level = next;
  }
  return false;
}
