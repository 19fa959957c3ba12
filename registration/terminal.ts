/** Input and output of the command. Questions go to stderr, so that stdout holds the result alone (`--json`). */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { RegisterError } from './outcome.ts';

export interface Terminal {
  /** Whether questions can be asked. */
  readonly interactive: boolean;
  out(line: string): void;
  err(line: string): void;
  /** @throws RegisterError declined on Ctrl-C or the end of input. */
  ask(question: string): Promise<string>;
  /** The same without echo. */
  askHidden(question: string): Promise<string>;
  /** First line of standard input, for `--password-stdin`. */
  firstLine(): Promise<string>;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    ask: (question) => askOn(stderr, question),
    askHidden: async (question) => {
      const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
      const answer = askOn(muted, '');
      // Only now: the terminal itself echoes until readline has made it raw, and an answer may be typed at once.
      stderr.write(question);
      return answer.finally(() => void stderr.write('\n'));
    },
    firstLine: async () => {
      const lines = createInterface({ input: stdin });
      for await (const line of lines) return line;
      return '';
    },
  };
}

async function askOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const closed = once(lines, 'close').then(() => {
    throw new RegisterError('declined', 'no answer was given; nothing was written');
  });
  lines.once('SIGINT', () => lines.close());
  return Promise.race([lines.question(question), closed]).finally(() => lines.close());
}
