/** Exports settings to a file and imports them. Credentials are not settings, so the file has none. */
import { z } from 'zod/mini';
import { isObject, parseJson } from '../../../shared/service/json.ts';
import { valueAt, withValues } from '../../dotted-path.ts';
import { Settings } from '../../settings.ts';
import type { TextKey } from '../../text.ts';
import { unlockedChanges } from '../parts/unlocked-changes.ts';
import { problemsOf, type SettingsDraft, sameSettings } from './draft.ts';

const kind = 'dialmark-settings';
const SettingsFile = z.object({
  kind: z.literal(kind),
  settings: z.looseObject({ version: z._default(z.int(), 1) }),
});
const groups = ['connection', 'agent', 'numbers', 'guard', 'sites', 'appearance'] as const;

export type ImportResult =
  | { ok: true; changes: Record<string, unknown> }
  | { ok: false; problems: readonly { path?: string; text: TextKey }[] };

export function exportSettings(settings: Settings): string {
  return `${JSON.stringify({ kind, settings }, null, 2)}\n`;
}

/**
 * @param current the draft in the form. Values that the file does not name stay.
 * @returns changes of the draft by dotted path, without paths that the organisation locked; or all problems of the
 * file.
 */
export function importSettings(
  content: string,
  current: SettingsDraft,
  locked: readonly string[],
): ImportResult {
  const json = parseJson(content);
  if (json === undefined) return { ok: false, problems: [{ text: 'options_importOtherFile' }] };
  const file = SettingsFile.safeParse(json);
  if (!file.success) return { ok: false, problems: [{ text: 'options_importOtherFile' }] };
  const { settings } = file.data;
  if (settings.version > Settings.parse({}).version)
    return { ok: false, problems: [{ text: 'options_importNewer' }] };
  const named: Record<string, unknown> = {};
  for (const group of groups) {
    const value = valueAt(settings, group);
    if (value !== undefined) collect(group, value, current, named);
  }
  const wanted = unlockedChanges(named, current, locked);
  const draft = withValues(current, Object.entries(wanted));
  const problems = problemsOf(draft);
  if (problems.size > 0) {
    return { ok: false, problems: [...problems].map(([path, text]) => ({ path, text })) };
  }
  // The schema parses the draft and drops unknown members, which are not changes.
  const parsed = Settings.parse(draft);
  const isInDraft = (path: string, value: unknown) =>
    sameSettings({ value }, { value: valueAt(current, path) });
  const changes = Object.keys(wanted)
    .map((path) => [path, valueAt(parsed, path)] as const)
    .filter(
      ([path, value]) => (value !== undefined || wanted[path] === undefined) && !isInDraft(path, value),
    );
  return { ok: true, changes: Object.fromEntries(changes) };
}

/**
 * Collects the file's values by path, one by one if the draft has an object there. Members that the file lacks stay.
 */
function collect(path: string, value: unknown, current: SettingsDraft, into: Record<string, unknown>): void {
  if (!isObject(value) || !isObject(valueAt(current, path))) {
    into[path] = value;
    return;
  }
  for (const [name, member] of Object.entries(value)) collect(`${path}.${name}`, member, current, into);
}
