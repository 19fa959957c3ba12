/** `--settings FILE`: the settings of a server in a file, NAME=value a line. */
import { statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { InvalidArgumentError, Option } from 'commander';
import { readTextFile } from './environment.ts';

export const settingsOption = (): Option =>
  new Option(
    '--settings <file>',
    'file of settings, NAME=value a line; the environment goes before it',
  ).argParser(readSettingsFile);

/** Warns on stderr where other users of the machine may read the file. It holds tokens. */
function readSettingsFile(path: string): NodeJS.Dict<string> {
  try {
    const content = readTextFile(path);
    // `parseEnv` skips such a line silently. The line may hold a secret, so the message does not repeat it.
    const wrong = content.split('\n').findIndex((line) => !/^\s*(#|$|(export\s+)?\w+\s*=)/.test(line));
    if (wrong !== -1) throw new Error(`${path}, line ${wrong + 1}: expected NAME=value, or # and a remark`);
    if ((statSync(path).mode & 0o007) !== 0)
      process.stderr.write(`${path}: every user of this machine may read it; chmod 600 ${path}\n`);
    return parseEnv(content);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
