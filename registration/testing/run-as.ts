/** Runs the command in this process with scripted answers, and collects its output. */
import { type CommandContext, runCommand } from '../command.ts';

export interface ScriptedPerson {
  email?: string;
  password?: string;
  /** The answer to "Write this?". Without an answer, the question is an error. */
  answer?: string;
  databasePassword?: string;
  /** The first line of standard input. With it, there is no terminal. */
  piped?: string;
  environment?: NodeJS.ProcessEnv;
  fetch?: typeof fetch;
}

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export async function runAs(person: ScriptedPerson, args: readonly string[]): Promise<Ended> {
  let out = '';
  let err = '';
  const answers: [RegExp, string | undefined][] = [
    [/^E-mail/, person.email],
    [/^Password/, person.password],
    [/^Database password/, person.databasePassword],
    [/^Write this/, person.answer],
  ];
  const ask = async (question: string) => {
    err += `${question}\n`;
    const answer = answers.find(([pattern]) => pattern.test(question))?.[1];
    if (answer === undefined) throw new Error(`no answer is scripted for "${question}"`);
    return answer;
  };
  const context: CommandContext = {
    terminal: {
      isInteractive: person.piped === undefined,
      print: (line) => {
        out += `${line}\n`;
      },
      printError: (line) => {
        err += `${line}\n`;
      },
      ask,
      askHidden: ask,
      firstLine: async () => person.piped ?? '',
    },
    environment: person.environment ?? {},
    fetch: person.fetch ?? fetch,
  };
  const code = await runCommand(args, context);
  return { code, out, err };
}
