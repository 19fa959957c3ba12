import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const program = `
  const { lockStore } = require('./shared/server/store-lock.ts');
  try { lockStore(process.argv[1], 'DIALMARK_STORE'); } catch ({ message }) { console.log(message); }`;

// Node's own way to make several folders never ends in /proc, so a process of its own tries.
it.each(['/proc/none/deeper/relay.db', '/dev/null/relay.db', '/'])(
  'names the setting of a store at %s',
  (file) => {
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '-e', program, file], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(stdout).toMatch(/^DIALMARK_STORE: expected a file that can be written; /);
    expect(stdout).toContain(file);
  },
);
