import { execFileSync } from 'node:child_process';
import { root } from './child.ts';

/** Paths of the files that git tracks, below the root. @param patterns of `git ls-files`; without them, every file. */
export const trackedFiles = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
