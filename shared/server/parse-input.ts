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
