/**
 * The team's rules as the relay last sent them. They are kept in the browser's session: a background that starts again
 * knows them before the relay replies.
 */
import browser from 'webextension-polyfill';
import { coalesce } from '../../../shared/async/coalesce.ts';
import { Rules } from '../../../shared/protocol/rules.ts';
import { type RecordKey, recordAt } from '../../../shared/record/template.ts';
import { readSettings } from '../settings/settings-store.ts';
import { fetchRules } from './relay-client.ts';
import { followingRelay, involvesRelay } from './route.ts';
import { rulesWithPolicy } from './rules-with-policy.ts';

interface KnownRules {
  /** The base address of the relay whose rules they are. */
  relay: string;
  rules: Rules;
}

let known: Promise<KnownRules | undefined> | undefined;
const listeners = new Set<() => void>();

/** Called when the rules have changed. */
export function onRulesChanged(listener: () => void): void {
  listeners.add(listener);
}

/** The relay's rules, with what policy adds. @returns undefined without a relay, or before it has sent its rules. */
export async function teamRules(): Promise<Rules | undefined> {
  const [{ settings }, stored] = await Promise.all([readSettings(), readKnown()]);
  const isTheirs = stored && stored.relay === settings.connection.relayUrl && involvesRelay(settings);
  return isTheirs ? rulesWithPolicy(stored.rules, settings.records) : undefined;
}

/** Keeps what the relay sent with its events. */
export async function keepRules(relay: string, sent: unknown): Promise<void> {
  const { success, data: rules } = Rules.safeParse(sent);
  if (!success) return;
  const before = await readKnown();
  if (before?.relay === relay && JSON.stringify(before.rules) === JSON.stringify(rules)) return;
  known = Promise.resolve({ relay, rules });
  await browser.storage.session.set({ rules: { relay, rules } });
  for (const listener of listeners) listener();
}

/** Asks the relay for its rules. If the relay does not answer, the known rules stay. */
export const refreshRules = coalesce(async () => {
  const { settings } = await readSettings();
  const relay = involvesRelay(settings) ? await followingRelay(settings) : undefined;
  if (!relay) return;
  const before = await readKnown();
  const outcome = await fetchRules(relay);
  const now = await readKnown();
  // An event that arrived meanwhile may be newer than the reply.
  const isCurrent = now === before || now?.relay !== relay.url;
  if (outcome.kind === 'ok' && isCurrent) await keepRules(relay.url, outcome.value);
});

/** Asks for the rules where they are not known: at the start of the browser, or after the relay was out of reach. */
export async function ensureRules(): Promise<void> {
  if (!(await teamRules())) await refreshRules();
}

/** The record that an address shows, by the team's templates. */
export async function recordAtAddress(address: string | undefined): Promise<RecordKey | undefined> {
  const rules = address === undefined ? undefined : await teamRules();
  return rules && recordAt(address!, rules.templates);
}

function readKnown(): Promise<KnownRules | undefined> {
  known ??= browser.storage.session.get('rules').then(({ rules }) => {
    const stored = rules as KnownRules | undefined;
    const parsed = Rules.safeParse(stored?.rules);
    return stored && parsed.success ? { relay: stored.relay, rules: parsed.data } : undefined;
  });
  return known;
}
