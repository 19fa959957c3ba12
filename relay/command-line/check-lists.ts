/** The part of `check` that reads this relay's copies of large lists. Their sources are read by the relay alone. */
import { existsSync } from 'node:fs';
import type { NumberList, ParsedRules } from '../../shared/protocol/rules.ts';
import { type CheckResult, failedCheck } from '../../shared/server/check-results.ts';
import { isOutdated, sourceOf } from '../rules/lists/build-list.ts';
import { listPath, listsFolderOf } from '../rules/lists/list-path.ts';
import { checkNumberFile, NumberFile } from '../rules/lists/number-file.ts';
import { homeOf, rulesOf } from '../rules/rules-file.ts';
import type { RelaySettings } from '../settings.ts';

/** @returns one result for each list; none where the rules file is wrong, which has a result of its own. */
export async function checkLists(settings: RelaySettings, now: number): Promise<CheckResult[]> {
  let rules: ParsedRules;
  try {
    rules = rulesOf(settings.rulesFile);
  } catch {
    return [];
  }
  const { country } = homeOf(settings, rules.common);
  const folder = listsFolderOf(settings);
  return Promise.all(
    rules.lists.map(async (list) => {
      const what = `list ${list.name}`;
      const path = listPath(folder, list.name);
      if (!existsSync(path))
        return failedCheck(what, 'this relay has no copy of it yet; it makes one when it starts');
      try {
        await checkNumberFile(path);
        return { what, ...describeCopy({ country, ...list }, new NumberFile(path), now) };
      } catch (error) {
        return failedCheck(what, `${path}: ${(error as Error).message}`);
      }
    }),
  );
}

function describeCopy(list: NumberList, file: NumberFile, now: number): Pick<CheckResult, 'isOk' | 'advice'> {
  file.close();
  const copy = `${file.count} numbers, read on ${file.builtAt.toISOString().slice(0, 10)}`;
  if (file.source !== sourceOf(list))
    return { isOk: false, advice: `${copy}, from another source; the log says why` };
  if (isOutdated(list, file, now))
    return { isOk: false, advice: `${copy}; it is older than ${list.maxAgeDays} days, and the log says why` };
  return { isOk: true, advice: copy };
}
