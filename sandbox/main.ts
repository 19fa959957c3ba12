/**
 * `npm run sandbox`: only the imitated service, which prints what it receives. `--scenarios` prints the table of
 * endings.
 */
import { Command } from 'commander';
import { outliveLostOutput } from '../shared/server/outlive-lost-output.ts';
import { scenarioTable } from './scenarios.ts';
import { demoToken, startSandbox } from './service.ts';

outliveLostOutput();
const program = new Command('sandbox')
  .description('The calling service, imitated, with a demo CRM page beside it.')
  .option('--port <port>', 'port to listen on', '3000')
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--token <token>', 'the service token to accept', demoToken)
  .option('--speed <factor>', 'divides every wait', '1')
  .option('--scenarios', 'print the table of endings and exit')
  .parse();
const options = program.opts<{
  port: string;
  host: string;
  token: string;
  speed: string;
  scenarios?: true;
}>();

if (options.scenarios) console.log(scenarioTable());
else {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    program.error(`--port: expected 0 to 65535, got ${options.port}`);
  const speed = Number(options.speed);
  if (!(speed > 0)) program.error(`--speed: expected a number above 0, got ${options.speed}`);
  const sandbox = await startSandbox({ port, host: options.host, token: options.token, speed }).catch(
    (error: Error) => program.error(error.message),
  );
  console.log(
    `calls at ${sandbox.url}/call with the token "${sandbox.token}", the CRM page at ${sandbox.url}/crm/`,
  );
  sandbox.listen((event) => {
    if (event.kind === 'call')
      console.log(
        `/call ${JSON.stringify(event.call.fields)} -> ${event.call.scenario ?? `refused ${event.call.status}`}`,
      );
    if (event.kind === 'notification')
      console.log(
        `notified of ${event.notification.callid}: ${event.notification.status ?? event.notification.error}`,
      );
  });
  process.once('SIGINT', () => void sandbox.close());
  process.once('SIGTERM', () => void sandbox.close());
}
