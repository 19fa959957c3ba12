/** What the settings in the form would do with a number, before they are saved. Pure. */

import { type ResolvedNumber, resolve } from '../../../shared/numbers/dial/resolve.ts';
import type { NotANumber } from '../../../shared/numbers/number.ts';
import { GuardPolicy, NumberSettings } from '../../../shared/numbers/number-settings.ts';
import { valueAt } from '../../dotted-path.ts';
import type { Draft } from './draft.ts';

export type Trial =
  | { result: 'empty' }
  | { result: 'settingsInvalid' }
  | { result: 'notANumber'; why: NotANumber }
  | ({ result: 'number' } & ResolvedNumber);

export function tryNumber(input: string, draft: Draft, now: Date): Trial {
  if (input.trim() === '') return { result: 'empty' };
  const numbers = NumberSettings.safeParse(valueAt(draft, 'numbers'));
  const guard = GuardPolicy.safeParse(valueAt(draft, 'guard'));
  if (!numbers.success || !guard.success) return { result: 'settingsInvalid' };
  const source = { kind: 'typed', text: input } as const;
  const resolved = resolve(source, { numbers: numbers.data, guard: guard.data }, { now });
  return 'why' in resolved ? { result: 'notANumber', ...resolved } : { result: 'number', ...resolved };
}
