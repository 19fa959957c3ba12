/** Finds people by name in the relay's directory, as an agent types. */
import { resolve } from '../../../shared/numbers/dial/resolve.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { PersonView } from '../../messages/views.ts';
import { isNameQuery } from '../../name-query.ts';
import { searchDirectory } from '../calls/relay-client.ts';
import { relayRefusal } from '../calls/relay-refusal.ts';
import { followingRelay } from '../calls/route.ts';
import { readSettings } from '../settings/settings-store.ts';

/** @returns null where no relay can be asked. */
export async function findPeople(typed: string): Promise<Result<PersonView[] | null>> {
  const { settings } = await readSettings();
  const relay = isNameQuery(typed) ? await followingRelay(settings) : undefined;
  if (!relay) return ok(null);
  const outcome = await searchDirectory(relay, typed.trim().slice(0, 100));
  if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
  return ok(
    outcome.value.entries.flatMap(({ name, organisation, role, numbers }) =>
      numbers.flatMap(({ number, label }) => {
        const resolved = resolve({ kind: 'typed', text: number }, settings, { now: new Date() });
        return 'why' in resolved
          ? []
          : [{ name, organisation, role, label, display: resolved.number.display }];
      }),
    ),
  );
}
