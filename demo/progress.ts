/** Prints a line for each step with its result. A terminal shows the line while the step runs, too. */

const terminal = process.stdout.isTTY === true;
/** A step that takes longer shows its time. */
const minShownMs = 1000;

let isSilent = false;

/** Prints that the demo ends, then nothing more. The demo is being ended, and steps fail because of that. */
export function silence(): void {
  print('  Ending …');
  isSilent = true;
}

/** @throws what `work` throws, prefixed with the step's title. */
export async function runStep<T>(
  title: string,
  work: (note: (text: string) => void) => Promise<T>,
  result: (value: T) => string = () => '',
): Promise<T> {
  const started = performance.now();
  const show = (note: string) => {
    if (isSilent) return;
    const line = `  … ${title}${note === '' ? '' : `: ${note}`}`;
    if (terminal) process.stdout.write(`\r\x1b[K${line.slice(0, (process.stdout.columns || 80) - 1)}`);
    else if (note !== '') console.log(line);
  };
  show('');
  try {
    const value = await work(show);
    const took = performance.now() - started;
    const outcome = result(value);
    const seconds = took < minShownMs ? '' : ` (${(took / 1000).toFixed(1)} s)`;
    print(`  ✓ ${title}${outcome === '' ? '' : `: ${outcome}`}${seconds}`);
    return value;
  } catch (error) {
    print(`  ✗ ${title}`);
    throw new Error(`${title}: ${(error as Error).message}`, { cause: error });
  }
}

/** Prints a line in place of that of the running step. */
export function print(text: string): void {
  if (isSilent) return;
  console.log(terminal ? `\r\x1b[K${text}` : text);
}
