/** What the command lines of relay and calling service share. Results go to stdout alone, everything else to stderr. */
import { Command, InvalidArgumentError, type Option } from 'commander';
import { usageErrorCode } from './environment.ts';
import { outliveLostOutput } from './outlive-lost-output.ts';
import { settingsOption } from './settings-file.ts';

const printError = (line: string) => void process.stderr.write(`${line}\n`);

/** A program without a command yet, whose wrong use ends with `usageErrorCode`. */
export function makeProgram(name: string, description: string): Command {
  const program = new StrictCommand(name)
    .description(description)
    .addOption(settingsOption())
    .helpCommand(false)
    .showHelpAfterError('(--help shows what it takes)')
    // An unknown command arrives as an argument of the program itself.
    .allowExcessArguments()
    .hook('preAction', (own, command) => refuseWrongArguments(own, command))
    // Set before the commands are made, which inherit it.
    .exitOverride((error) => {
      process.exitCode = error.exitCode === 0 ? 0 : usageErrorCode;
      if (error.code === 'commander.unknownCommand') printError(`expected one of:\n${commandNames(program)}`);
      throw error;
    });
  return program;
}

/**
 * Refuses an option that is given twice. The last value alone would count, and `forget --number A --number B` would
 * keep the calls of A. A variadic option may be repeated.
 */
export class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override addOption(option: Option): this {
    const isRepeatable = option.isBoolean() || option.variadic;
    let isGiven = false;
    super.addOption(option).on(`option:${option.name()}`, () => {
      if (isGiven && !isRepeatable) this.error(`error: option '${option.flags}' was given twice`);
      isGiven = true;
    });
    return this;
  }
}

/** Every command without subcommands, one a line. An unknown command gets this list as its reply. */
function commandNames(command: Command, before = ''): string {
  return command.commands
    .map((each) => {
      const name = `${before}${each.name()}`;
      return each.commands.length > 0 ? commandNames(each, `${name} `) : `  ${name}`;
    })
    .join('\n');
}

/**
 * A number with blanks and without quotes is several arguments; the first alone would be another number. An empty
 * argument is an empty variable of a script.
 */
function refuseWrongArguments(program: Command, command: Command): void {
  const [expected, got] = [command.registeredArguments.length, command.args.length];
  if (command !== program && got > expected)
    command.error(
      `error: expected ${expected} argument(s), got ${got}; put quotes around one with blanks in it`,
    );
  const empty = command.registeredArguments.find((_, index) => command.args[index]?.trim() === '');
  if (empty) command.error(`error: argument '${empty.name()}' is empty`);
}

/** Ends the program where it was started with a word that is not one of its commands. */
export function refuseUnknownCommand(program: Command): void {
  const [unknown] = program.args;
  if (unknown !== undefined)
    program.error(`error: unknown command '${unknown}'`, { code: 'commander.unknownCommand' });
}

/** The environment has priority over the file of `--settings`. An empty value counts as absent, as everywhere. */
export function variablesOf(program: Command, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = program.opts<{ settings?: NodeJS.Dict<string> }>().settings ?? {};
  const given = Object.entries(environment).filter(([name, value]) => value?.trim() || !(name in file));
  return { ...file, ...Object.fromEntries(given) };
}

/** Sets `process.exitCode` where the command fails. */
export async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  outliveLostOutput();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // A command itself may throw this error after its arguments were read. Commander prints only the errors that it
    // finds itself.
    const isOwn = error instanceof InvalidArgumentError;
    if (!isOwn && (error as { code?: string }).code?.startsWith('commander.')) return;
    printError((error as Error).message);
    process.exitCode ||= isOwn ? usageErrorCode : 1;
  }
}
