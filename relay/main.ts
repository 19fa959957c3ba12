import { commandLine } from './command-line/command-line.ts';

await commandLine(process.argv.slice(2), process.env);
