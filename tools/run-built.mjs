/**
 * Runs a built part in this process: `run-built.mjs relay [arguments]`. This is what runs in production. Where
 * the sources are newer than `dist/`, it builds first and says so on stderr.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [part, ...args] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const entry = `${root}dist/${part}/main.js`;
/** What a part hands out beside itself: the relay serves the widget. */
const together = { relay: ['relay', 'widget'] };

if (existsSync(`${root}vite.config.ts`) && existsSync(`${root}node_modules/vite`)) {
  const built = spawnSync(
    process.execPath,
    ['--import', 'tsx', `${root}tools/build.ts`, '--if-stale', ...(together[part] ?? [part])],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (built.status !== 0) process.exit(built.status ?? 1);
}
process.argv = [process.argv[0], entry, ...args];
await import(entry);
