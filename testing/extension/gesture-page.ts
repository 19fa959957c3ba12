/** A page without a browser, with numbers in slots. It may move, change, unmark and render them again. */
import type { Subject } from '../../extension/content/gesture-state.ts';

export const slots = 5;
/** What the page does to one of its numbers. `again` makes a new element, and `ticked` changes the text around it. */
export const changes = [
  'moved',
  'changed',
  'vanished',
  'again',
  'unmarked',
  'hidden',
  'ticked',
  'focused',
] as const;
export type Change = (typeof changes)[number];

interface NumberOnPage {
  kind: Subject['kind'];
  key: object;
  digits: number;
  slot: number;
  /** A number that is not marked is text only. */
  isMarked: boolean;
  isSeen: boolean;
  around: number;
}

export function createPage() {
  const numbers: (NumberOnPage | undefined)[] = (['mark', 'link', 'control'] as const).map((kind, slot) => ({
    kind,
    key: {},
    digits: slot,
    slot,
    isMarked: true,
    isSeen: true,
    around: 0,
  }));
  const subjectOf = ({ kind, key, digits }: NumberOnPage): Subject => ({
    kind,
    key,
    source: { text: `n${digits}` },
    number: { display: `n${digits}`, to: `${digits}` },
  });
  const marked = () =>
    numbers.flatMap((each) => (each?.isMarked ? [{ ...each, subject: subjectOf(each) }] : []));
  const find = (target: Subject) =>
    marked().find(({ subject }) => subject.key === target.key && subject.source.text === target.source.text);
  /** The first one lies over others in the same slot. */
  const inSlot = (slot: number | undefined) => numbers.find((each) => each?.slot === slot);

  return {
    /** The number of the page by its place in the list, wherever it is now. */
    number: (which: number): Subject | undefined => {
      const each = numbers[which];
      return each?.isMarked ? subjectOf(each) : undefined;
    },
    byKey: (key: object | undefined): Subject | undefined =>
      marked().find(({ subject }) => subject.key === key)?.subject,
    /** The marked number at a place. */
    at: (slot: number | undefined): Subject | undefined => {
      const each = inSlot(slot);
      return each?.isMarked ? subjectOf(each) : undefined;
    },
    /** The digits at a place, marked or not. */
    textAt: (slot: number): string | undefined => {
      const found = inSlot(slot);
      return found && subjectOf(found).source.text;
    },
    /** The digits and the words around them. */
    contentAt: (slot: number): string => JSON.stringify([inSlot(slot)?.digits, inSlot(slot)?.around]),
    /** Where a number is that is still what it was. */
    slotOf: (target: Subject): number | undefined => find(target)?.slot,
    /** True where it is still what it was, and a person can see it. */
    isSeen: (target: Subject): boolean => find(target)?.isSeen === true,
    change(which: number, change: Exclude<Change, 'focused'>, slot: number): void {
      const each = numbers[which];
      if (!each)
        numbers[which] = {
          kind: 'mark',
          key: {},
          digits: which,
          slot,
          isMarked: true,
          isSeen: true,
          around: 0,
        };
      else if (change === 'moved') each.slot = slot;
      else if (change === 'changed') numbers[which] = { ...each, digits: each.digits + 10 };
      else if (change === 'vanished') numbers[which] = undefined;
      else if (change === 'again') numbers[which] = { ...each, key: {} };
      else if (change === 'unmarked') each.isMarked = !each.isMarked;
      else if (change === 'hidden') each.isSeen = !each.isSeen;
      else each.around += 1;
    },
  };
}
