/** `npm run relay`: serves, or, with a command, changes the store beside a running relay. */
import { commandLine } from './command-line.ts';

await commandLine(process.argv.slice(2), process.env);
