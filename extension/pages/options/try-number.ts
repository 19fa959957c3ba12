/** What the settings in the form and the team's rules would do with a number, before the settings are saved. Pure. */
import { z } from 'zod/mini';
import type { ResolvedNumber } from '../../../shared/numbers/dial/resolve.ts';
import type { NotANumber } from '../../../shared/numbers/number.ts';
import type { DialRule } from '../../../shared/numbers/number-settings.ts';
import type { Rules } from '../../../shared/protocol/rules.ts';
import { resolveForTeam, withTeamNumbers } from '../../resolve-for-team.ts';
import { Settings } from '../../settings.ts';
import type { SettingsDraft } from './draft.ts';

export type Trial =
  | { result: 'empty' }
  | { result: 'settingsInvalid' }
  | { result: 'notANumber'; why: NotANumber }
  | ({ result: 'number'; rule: DialRule | undefined } & ResolvedNumber);

const Judging = z.pick(Settings, { numbers: true, guard: true, doNotCall: true });

/** @param rules of the team; undefined without a relay. */
export function tryNumber(input: string, draft: SettingsDraft, now: Date, rules?: Rules): Trial {
  if (input.trim() === '') return { result: 'empty' };
  const { data: settings } = Judging.safeParse(draft);
  if (!settings) return { result: 'settingsInvalid' };
  const resolved = resolveForTeam({ kind: 'typed', text: input }, settings, { now }, rules);
  if ('why' in resolved) return { result: 'notANumber', ...resolved };
  const { dialRules } = withTeamNumbers(settings.numbers, rules);
  const { rule } = resolved.digits;
  return { result: 'number', ...resolved, rule: rule === undefined ? undefined : dialRules[rule] };
}
