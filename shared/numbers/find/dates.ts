/** Dates inside a chain: 12/05/2024, 2024-05-12, 03.07. - 17.07.15, 03/2016. Numbers end before them and begin after. */
import {
  type Chain,
  HAS_DASH,
  HAS_DOT,
  HAS_SLASH,
  HAS_SPACE,
  lengthOf,
  smallValueOf,
} from './digit-groups.ts';

const isYear = (value: number): boolean => value >= 1900 && value < 2100;
const isMonth = (value: number): boolean => value > 0 && value <= 12;
const isDay = (value: number): boolean => value > 0 && value <= 31;

/** Marks the groups that are dates. */
export function markDates(chain: Chain): void {
  const { gaps, dated, count } = chain;
  for (let group = 0; group + 1 < count; group++) {
    if (
      dated[group] ||
      lengthOf(chain, group) > 4 ||
      !bordered(gaps[group]!) ||
      lengthOf(chain, group + 1) > 4
    )
      continue;
    if (isFullDate(chain, group)) {
      dated[group] = dated[group + 1] = dated[group + 2] = true;
      // The day and month that a range begins with: 03.07. - 17.07.15
      if (group > 1 && isDayAndMonth(chain, group - 2)) dated[group - 2] = dated[group - 1] = true;
    } else if (
      gaps[group + 1] === HAS_SLASH &&
      lengthOf(chain, group) < 3 &&
      isMonth(smallValueOf(chain, group)) &&
      lengthOf(chain, group + 1) === 4 &&
      isYear(smallValueOf(chain, group + 1)) &&
      (group + 2 === count || bordered(gaps[group + 2]!))
    ) {
      dated[group] = dated[group + 1] = true;
    }
  }
}

/** Nothing but space, or a spaced dash or slash, stands there: the date is not the middle of something longer. */
function bordered(gap: number): boolean {
  return gap === 0 || (gap & HAS_SPACE) !== 0;
}

function isFullDate(chain: Chain, group: number): boolean {
  const { gaps, count } = chain;
  const gap = gaps[group + 1]!;
  if (group + 2 >= count || gap !== gaps[group + 2]) return false;
  if (gap !== HAS_DASH && gap !== HAS_DOT && gap !== HAS_SLASH) return false;
  if (group + 3 < count && !bordered(gaps[group + 3]!)) return false;
  const first = smallValueOf(chain, group);
  const middle = smallValueOf(chain, group + 1);
  const last = smallValueOf(chain, group + 2);
  if (lengthOf(chain, group + 1) > 2) return false;
  if (lengthOf(chain, group) === 4) {
    if (!isYear(first) || !isMonth(middle) || !isDay(last) || lengthOf(chain, group + 2) > 2) return false;
    // Ten digits in all, with two more behind a single space: as likely a number's last group as an hour without minutes.
    return !(
      group === 0 &&
      count === 4 &&
      gap === HAS_DASH &&
      lengthOf(chain, 3) === 2 &&
      gaps[3] === HAS_SPACE
    );
  }
  if (lengthOf(chain, group) > 2) return false;
  const dayFirst = isDay(first) && isMonth(middle);
  if (!dayFirst && !(isMonth(first) && isDay(middle))) return false;
  return lengthOf(chain, group + 2) === 4 ? isYear(last) : lengthOf(chain, group + 2) === 2;
}

function isDayAndMonth(chain: Chain, group: number): boolean {
  return (
    chain.gaps[group + 1] === chain.gaps[group + 3] &&
    bordered(chain.gaps[group]!) &&
    isDay(smallValueOf(chain, group)) &&
    isMonth(smallValueOf(chain, group + 1))
  );
}
