/** `EPOCH-SEQ`, the id of an event: short ASCII, so a reconnect needs no CORS preflight for it. */
interface Cursor {
  epoch: string;
  seq: number;
}

export function formatCursor(epoch: string, seq: number): string {
  return `${epoch}-${seq}`;
}

/** @returns undefined if the text does not have the form of an id of ours. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^([0-9a-z]{1,32})-(\d{1,15})$/.exec(text);
  return match ? { epoch: match[1]!, seq: Number(match[2]) } : undefined;
}
