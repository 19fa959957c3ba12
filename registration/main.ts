/** `npm run register`: registers a PBX by hand. See docs/registration.md. */
import { outliveLostOutput } from '../shared/server/outlive-lost-output.ts';
import { runCommand } from './command.ts';
import { processTerminal } from './terminal.ts';

outliveLostOutput();
const code = await runCommand(process.argv.slice(2), {
  terminal: processTerminal(),
  environment: process.env,
  fetch,
});
// What was lost from the output has set a code by then.
process.exitCode ||= code;
