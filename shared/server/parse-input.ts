/** Parses what came from outside; what is wrong with it becomes one problem that names every field. */
import type { z } from 'zod/mini';
import { ProblemError } from './problem.ts';

/** @throws ProblemError 400. */
export function parseInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.infer<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ProblemError('invalidFields', {
    errors: parsed.error.issues.slice(0, 20).map((issue) => ({
      path: issue.path.map(String).join('.').slice(0, 100),
      message: issue.message.slice(0, 300),
    })),
  });
}
