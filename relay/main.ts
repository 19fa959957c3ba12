import { runRelayCommandLine } from './command-line/command-line.ts';

await runRelayCommandLine(process.argv.slice(2), process.env);
