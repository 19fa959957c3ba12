/** Whether the organisation has set this path or a group that contains it. */
export function isLocked(locked: readonly string[], path: string): boolean {
  return locked.some((one) => path === one || path.startsWith(`${one}.`));
}
