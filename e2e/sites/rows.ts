/** Rows of a list that a framework re-renders: other numbers, another order, added and removed rows. */
export interface Row {
  id: number;
  phone: string;
  note?: string;
}

export function phoneOf(id: number, generation: number): string {
  const last = 1000 + ((id * 613 + generation * 2711) % 9000);
  return id % 2 ? `(48) 3322-${last}` : `+55 11 98765-${last}`;
}

/** Before the first rendering (-1) there are none. */
export function rowsOf(generation: number): Row[] {
  if (generation < 0) return [];
  let ids = Array.from({ length: 30 }, (_, id) => id);
  if (generation % 3 === 1) ids.reverse();
  if (generation % 3 === 2) ids = ids.filter((id) => id % 4 !== 0);
  return ids.map((id) => ({
    id,
    phone: phoneOf(id, generation),
    ...(id % 5 === generation % 5 && { note: 'novo' }),
  }));
}
