import type { Command } from 'commander';

/** Every command that does something, one a line: what an unknown one is answered with. */
export function commandNames(command: Command, before = ''): string {
  return command.commands
    .map((each) => {
      const name = `${before}${each.name()}`;
      return each.commands.length > 0 ? commandNames(each, `${name} `) : `  ${name}`;
    })
    .join('\n');
}
