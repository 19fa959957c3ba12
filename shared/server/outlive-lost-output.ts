/**
 * A full disk or a closed pipe costs what is printed, never a server or the rest of a command. Without a listener, each
 * of these errors ends the process.
 */
export function outliveLostOutput(): void {
  if (process.stdout.listeners('error').includes(ignore)) return;
  process.stdout.once('error', reportLostOutput).on('error', ignore);
  process.stderr.on('error', ignore);
}

const ignore = () => {};

function reportLostOutput(error: NodeJS.ErrnoException): void {
  // `| head -1` has all that it wants.
  if (error.code !== 'EPIPE') process.stderr.write(`stdout: ${error.message}\n`);
  process.exitCode ||= 1;
}
