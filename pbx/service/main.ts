import { runPbxCommand } from './command-line.ts';

await runPbxCommand(process.argv.slice(2), process.env);
