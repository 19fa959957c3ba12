import type { Command } from 'commander';

/** Every command without subcommands, one a line. An unknown command gets this list as its reply. */
export function commandNames(command: Command, before = ''): string {
  return command.commands
    .map((each) => {
      const name = `${before}${each.name()}`;
      return each.commands.length > 0 ? commandNames(each, `${name} `) : `  ${name}`;
    })
    .join('\n');
}
