/** Input and output of the command. Questions go to stderr: a person sees them even if stdout is a file. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { RegistrationError } from '../shared/registration/registration-error.ts';

export interface Terminal {
  /** Whether the command can ask a person. */
  readonly isInteractive: boolean;
  print(line: string): void;
  printError(line: string): void;
  /** @throws RegistrationError after Ctrl-C or at the end of input. */
  ask(question: string): Promise<string>;
  /** The same, but typed text stays hidden. */
  askHidden(question: string): Promise<string>;
  /** First line of standard input, for `--password-stdin`. */
  firstLine(): Promise<string>;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    print: (line) => void stdout.write(`${line}\n`),
    printError: (line) => void stderr.write(`${line}\n`),
    ask: (question) => askOn(stderr, question),
    askHidden: async (question) => {
      const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
      const answer = askOn(muted, '');
      // Written after readline has made the terminal raw: before that, the terminal itself would show what is typed.
      stderr.write(question);
      return answer.finally(() => void stderr.write('\n'));
    },
    firstLine: async () => {
      for await (const line of createInterface({ input: stdin })) return line;
      return '';
    },
  };
}

async function askOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const closed = once(lines, 'close').then(() => {
    throw new RegistrationError('stopped without an answer; nothing was written');
  });
  lines.once('SIGINT', () => lines.close());
  return Promise.race([lines.question(question), closed]).finally(() => lines.close());
}
