import { vi } from 'vitest';
import { runRelayCommandLine } from '../../relay/command-line/command-line.ts';
import { withPrefix } from '../with-prefix.ts';
import type { TestRelay } from './test-relay.ts';

/** Runs a relay's command in this process, beside the relay. @returns what it prints on stdout and stderr. */
export async function runCommand(
  relay: TestRelay,
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ out: string; err: string; code: unknown }> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const variables = withPrefix('DIALMARK_', { ...environment, LISTEN: new URL(relay.url).host });
  process.exitCode = 0;
  try {
    await runRelayCommandLine(args, variables);
    const printed = (spy: typeof out) => spy.mock.calls.map(([text]) => String(text)).join('');
    return { out: printed(out), err: printed(err), code: process.exitCode };
  } finally {
    out.mockRestore();
    err.mockRestore();
    process.exitCode = 0;
  }
}
