/** `npm run register`: the manual registration helper, run on the PBX. See docs/registration.md. */
import { runCommand } from './command.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  terminal: processTerminal(),
  environment: process.env,
  fetch,
  now: () => new Date(),
});
