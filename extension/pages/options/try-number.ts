/** What the settings in the form would do with a number, before they are saved. Pure. */

import { decideDial } from '../../../shared/numbers/dial/allow-or-refuse.ts';
import { dialDigits } from '../../../shared/numbers/dial/dial-plan.ts';
import type { Decision, DialledDigits, NotANumber, PhoneNumber } from '../../../shared/numbers/number.ts';
import { GuardPolicy, NumberSettings } from '../../../shared/numbers/number-settings.ts';
import { parseDialInput } from '../../../shared/numbers/reading/dial-input.ts';
import { valueAt } from '../../dotted-path.ts';
import type { Draft } from './draft.ts';

export type Trial =
  | { result: 'empty' }
  | { result: 'settingsInvalid' }
  | { result: 'notANumber'; why: NotANumber }
  | {
      result: 'number';
      number: PhoneNumber;
      digits: DialledDigits;
      decision: Decision;
    };

export function tryNumber(input: string, draft: Draft, now: Date): Trial {
  if (input.trim() === '') return { result: 'empty' };
  const settings = NumberSettings.safeParse(valueAt(draft, 'numbers'));
  const policy = GuardPolicy.safeParse(valueAt(draft, 'guard'));
  if (!settings.success || !policy.success) return { result: 'settingsInvalid' };
  const judged = parseDialInput(input, settings.data);
  if (!('number' in judged)) return { result: 'notANumber', why: judged.why };
  const digits = dialDigits(judged.number, settings.data);
  const decision = decideDial(judged.number, digits, policy.data, {
    country: settings.data.country,
    now,
    recentCalls: [],
  });
  return { result: 'number', number: judged.number, digits, decision };
}
