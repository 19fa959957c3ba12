/** `--settings FILE`: the settings of a server in a file, NAME=value a line. */
import { statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { InvalidArgumentError, Option } from 'commander';
import { readWholeText } from './environment.ts';

export const settingsOption = (): Option =>
  new Option(
    '--settings <file>',
    'file of settings, NAME=value a line; the environment goes before it',
  ).argParser(readSettingsFile);

/** What is wrong with a line. It may hold a secret, so the message does not repeat it. */
const lineProblems: readonly (readonly [RegExp, string])[] = [
  // `parseEnv` silently skips a line of another form.
  [/^(?!#|$|\w+\s*=)/, 'expected NAME=value, or # and a remark'],
  // A value without quotes, which `parseEnv` ends at its `#` and systemd does not.
  [/^\w+\s*=(?!\s*["'`])[^#]*(?<=\S)#/, 'expected quotes around a value with # in it'],
  // A quoted value without an end, or with text behind it, which `parseEnv` drops.
  [
    /^\w+\s*=\s*(["'`])(?!(?:(?!\1).)*\1\s*(?:#|$))/,
    'expected a quote at the end of the value, and none in it',
  ],
  // systemd continues this value on the next line.
  [/^\w+\s*=.*\\$/, 'expected the value on one line, without \\ at its end'],
];

/** Warns on stderr if other users of the machine may read the file, because it holds tokens. */
function readSettingsFile(path: string): NodeJS.Dict<string> {
  try {
    // An empty variable of a script.
    if (path.trim() === '')
      throw new Error('expected the path of a file; without the option the environment alone counts');
    const lines = readWholeText(path)
      .split(/\r\n?|\n/)
      .map((line) => line.trim().replace(/^export\s+/, ''));
    for (const [problem, expected] of lineProblems) {
      const wrong = lines.findIndex((line) => problem.test(line));
      if (wrong !== -1) throw new Error(`${path}, line ${wrong + 1}: ${expected}`);
    }
    refuseRepeatedNames(path, lines);
    if ((statSync(path).mode & 0o007) !== 0)
      process.stderr.write(`${path}: every user of this machine may read it; chmod 600 ${path}\n`);
    // Line by line: behind white space, `parseEnv` takes a remark and the line below it for one name.
    return Object.assign({}, ...lines.filter((line) => !line.startsWith('#')).map((line) => parseEnv(line)));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Refuses a variable that is set twice. The last value would count, but a person may read the first. */
function refuseRepeatedNames(path: string, lines: readonly string[]): void {
  const names = lines.map((line) => /^\w+/.exec(line)?.[0]);
  const second = names.findIndex((name, at) => name !== undefined && names.indexOf(name) < at);
  if (second === -1) return;
  const first = names.indexOf(names[second]);
  throw new Error(`${path}, lines ${first + 1} and ${second + 1}: expected ${names[second]} once`);
}
