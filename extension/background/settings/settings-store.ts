/**
 * The settings in force: the stored settings, with the organisation's values laid over them. They are kept in memory
 * until they change.
 */
import { remember } from '../../../shared/async/remember.ts';
import { serializer } from '../../../shared/async/serialize.ts';
import { Settings } from '../../settings.ts';
import { database } from '../database.ts';
import { keepLocked, type Overlay, overlayManaged } from './managed-overlay.ts';
import { forgetManaged, policyMayHoldSecrets, readManaged } from './managed-settings.ts';

const remembered = remember(loadSettings);
/** Runs one read, change and write at a time. Else a change that read too early would undo another change. */
const inTurn = serializer();
const listeners = new Set<() => void>();

/** Settings in force, with the locked paths and what was wrong in the policy. */
export function readSettings(): Promise<Overlay> {
  return remembered.read();
}

async function loadSettings(): Promise<Overlay> {
  return overlayManaged(await readOwn(), await readManaged(), policyMayHoldSecrets);
}

export async function hasSavedSettings(): Promise<boolean> {
  return (await (await database()).getKey('settings', 'settings')) !== undefined;
}

/**
 * Reads the agent's settings. If the whole does not parse, it reads each group, so that a bad group does not cost the
 * others.
 */
async function readOwn(): Promise<Settings> {
  const stored = await (await database()).get('settings', 'settings');
  const whole = Settings.safeParse(stored);
  if (whole.success) return whole.data;
  let settings = Settings.parse({});
  for (const [group, value] of Object.entries(stored ?? {})) {
    const parsed = Settings.safeParse({ ...settings, [group]: value });
    if (parsed.success) settings = parsed.data;
  }
  return settings;
}

/**
 * Replaces the agent's settings; locked values stay.
 * @returns the first error in them, as `path: message`, if nothing was saved.
 */
export async function saveSettings(input: unknown): Promise<string | undefined> {
  const parsed = Settings.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return issue ? `${issue.path.join('.')}: ${issue.message}` : 'not valid';
  }
  await inTurn(async () => {
    const { locked } = await readSettings();
    await write(keepLocked(parsed.data, locked, await readOwn()));
  });
  return undefined;
}

/** Changes the stored settings, not a page's copy. The changes of two pages do not undo each other. */
export function updateSettings(change: (own: Settings) => Settings): Promise<void> {
  return inTurn(async () => {
    const { locked } = await readSettings();
    const own = await readOwn();
    await write(keepLocked(Settings.parse(change(own)), locked, own));
  });
}

async function write(settings: Settings): Promise<void> {
  await (await database()).put('settings', settings, 'settings');
  settingsChanged();
}

/** Clears what is in memory and notifies the listeners; to be called also when a policy changed. */
export function settingsChanged(): void {
  remembered.forget();
  forgetManaged();
  for (const listener of listeners) listener();
}

export function onSettingsChanged(listener: () => void): void {
  listeners.add(listener);
}
