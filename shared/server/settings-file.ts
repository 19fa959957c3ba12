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

/** A value without quotes, which `parseEnv` ends at its `#` and systemd does not. */
const cutValue = /^\s*(?:export\s+)?\w+\s*=(?!\s*["'`])[^#]*(?<=\S)#/;

/** A quoted value without an end, which takes further lines, or with text behind it, which `parseEnv` drops. */
const brokenQuote = /^\s*(?:export\s+)?\w+\s*=\s*(["'`])(?!(?:(?!\1).)*\1\s*(?:#|$))/;

/** Warns on stderr where other users of the machine may read the file. It holds tokens. */
function readSettingsFile(path: string): NodeJS.Dict<string> {
  try {
    // An empty variable of a script.
    if (path.trim() === '')
      throw new Error('expected the path of a file; without the option the environment alone counts');
    // `parseEnv` ends no line at a carriage return alone.
    const content = readTextFile(path).replace(/\r\n?/g, '\n');
    // `parseEnv` skips such a line silently. The line may hold a secret, so the message does not repeat it.
    const lines = content.split('\n');
    const wrong = lines.findIndex((line) => !/^\s*(#|$|(export\s+)?\w+\s*=)/.test(line));
    if (wrong !== -1) throw new Error(`${path}, line ${wrong + 1}: expected NAME=value, or # and a remark`);
    const cut = lines.findIndex((line) => cutValue.test(line));
    if (cut !== -1) throw new Error(`${path}, line ${cut + 1}: expected quotes around a value with # in it`);
    const broken = lines.findIndex((line) => brokenQuote.test(line));
    if (broken !== -1)
      throw new Error(
        `${path}, line ${broken + 1}: expected a quote at the end of the value, and none in it`,
      );
    if ((statSync(path).mode & 0o007) !== 0)
      process.stderr.write(`${path}: every user of this machine may read it; chmod 600 ${path}\n`);
    return parseEnv(content);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
