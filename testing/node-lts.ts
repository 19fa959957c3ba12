import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { startChild } from './child.ts';

/** The newest long-term release of Node, beside the oldest that the project supports. */
export const nodeLts = '24.21.0';

/**
 * Path of that Node, from npm's package of its binary, kept in a cache folder.
 * @throws Error saying what is missing.
 */
export async function ensureNodeLts(): Promise<string> {
  const cache = await cacheFolder('node');
  const name = `node-${process.platform}-${process.arch}`;
  const program = path.join(cache, nodeLts, 'node_modules', name, 'bin', 'node');
  if (existsSync(program)) return program;
  const prefix = path.join(cache, nodeLts);
  const install = ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const npm = startChild(['npm', ...install, `${name}@${nodeLts}`]);
  if ((await npm.exited.catch(() => 1)) !== 0 || !existsSync(program))
    throw new Error(
      `Node ${nodeLts}: expected npm's package ${name}; ${npm.output().trim().split('\n').at(-1)}`,
    );
  return program;
}
