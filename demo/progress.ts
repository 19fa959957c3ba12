/** One line a step: while it runs on a terminal, and when it is done, with what came of it. */
export type Tell = (text: string) => void;

const terminal = process.stdout.isTTY === true;
/** Shorter than this needs no word of how long it took. */
const worthTelling = 1000;

let silent = false;

/** From now on no step says anything: the demo is being ended, and what fails by that is no news. */
export function beSilent(): void {
  say('  Ending …');
  silent = true;
}

/** @throws what `work` throws, with the step's name before it. */
export async function step<T>(
  title: string,
  work: (tell: Tell) => Promise<T>,
  result: (value: T) => string = () => '',
): Promise<T> {
  const started = performance.now();
  const show = (note: string) => {
    if (silent) return;
    const line = `  … ${title}${note === '' ? '' : `: ${note}`}`;
    if (terminal) process.stdout.write(`\r\x1b[K${line.slice(0, (process.stdout.columns || 80) - 1)}`);
    else if (note !== '') console.log(line);
  };
  show('');
  try {
    const value = await work(show);
    const took = performance.now() - started;
    const outcome = result(value);
    const seconds = took < worthTelling ? '' : ` (${(took / 1000).toFixed(1)} s)`;
    say(`  ✓ ${title}${outcome === '' ? '' : `: ${outcome}`}${seconds}`);
    return value;
  } catch (error) {
    say(`  ✗ ${title}`);
    throw new Error(`${title}: ${(error as Error).message}`, { cause: error });
  }
}

/** Takes the place of the line of a running step. */
export function say(text: string): void {
  if (silent) return;
  console.log(terminal ? `\r\x1b[K${text}` : text);
}
