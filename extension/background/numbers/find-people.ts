/** Finds people by name in the relay's directory, as an agent types. */
import { ok, type Result } from '../../messages/result.ts';
import type { PersonView } from '../../messages/views.ts';
import { isNameQuery } from '../../name-query.ts';
import { searchDirectory } from '../calls/relay-client.ts';
import { relayRefusal } from '../calls/relay-refusal.ts';
import { followingRelay } from '../calls/route.ts';
import { readSettings } from '../settings/settings-store.ts';
import { resolveTyped } from './resolve-typed.ts';

/** @returns null if a relay cannot be asked, or if a name was not typed. */
export async function findPeople(typed: string): Promise<Result<PersonView[] | null>> {
  const { settings } = await readSettings();
  const relay = isNameQuery(typed) ? await followingRelay(settings) : undefined;
  if (!relay) return ok(null);
  const outcome = await searchDirectory(relay, typed.trim().slice(0, 100));
  if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
  const found = outcome.value.entries.flatMap(({ name, organisation, numbers }) =>
    numbers.map(async ({ number, label }) => {
      const resolved = await resolveTyped(number);
      return 'why' in resolved ? [] : [{ name, organisation, label, display: resolved.number.display }];
    }),
  );
  return ok((await Promise.all(found)).flat());
}
