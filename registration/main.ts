/** `npm run register`: registers a PBX by hand. See docs/registration.md. */
import { runCommand } from './command.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  terminal: processTerminal(),
  environment: process.env,
  fetch,
});
