/** What a `check` command finds out, one line each. */

export interface CheckResult {
  /** `untested`: cannot be found out without a call. */
  isOk: boolean | 'untested';
  what: string;
  /** What is wrong and what to do; on success, what was found. */
  advice?: string;
}

/** What would keep a call from being placed, reported or shown, and what to do. */
export const failedCheck = (what: string, advice: string): CheckResult => ({ isOk: false, what, advice });

const mark = (isOk: CheckResult['isOk']) => (isOk === 'untested' ? '?   ' : isOk ? 'ok  ' : 'FAIL');

/** Prints the results on stdout. The exit code becomes 1 if something is wrong. */
export function printCheckResults(results: readonly CheckResult[]): void {
  for (const { isOk, what, advice } of results)
    process.stdout.write(`${mark(isOk)} ${what}${advice === undefined ? '' : `: ${advice}`}\n`);
  if (results.some(({ isOk }) => !isOk)) process.exitCode = 1;
}
