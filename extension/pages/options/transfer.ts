/** Settings out to a file and in from one. Credentials are not settings, so they cannot be in it (`background/vault.ts`). */
import { Settings } from '../../settings.ts';
import type { TextKey } from '../../text.ts';
import { type Draft, problemsOf, valueAt, withValue } from './draft.ts';
import { isLocked } from './form.ts';

const kind = 'dialmark-settings';
const groups = ['connection', 'agent', 'numbers', 'guard', 'sites', 'appearance'] as const;

export type ImportResult =
  | { ok: true; changes: Record<string, unknown> }
  | { ok: false; problems: readonly { path?: string; text: TextKey }[] };

export function exportSettings(settings: Settings): string {
  return `${JSON.stringify({ kind, settings }, null, 2)}\n`;
}

/**
 * @param current what stands in the form: values the file does not name stay.
 * @returns changes by dotted path, without those the organisation locked; or everything that is wrong with the file.
 */
export function importSettings(content: string, current: Draft, locked: readonly string[]): ImportResult {
  const file = parseJson(content);
  if (file === undefined) return { ok: false, problems: [{ text: 'options_importNotJson' }] };
  if (typeof file !== 'object' || file === null || (file as { kind?: unknown }).kind !== kind)
    return { ok: false, problems: [{ text: 'options_importOtherFile' }] };
  const imported = (file as { settings?: unknown }).settings;
  if (typeof imported !== 'object' || imported === null)
    return { ok: false, problems: [{ text: 'options_importOtherFile' }] };
  const wanted: Record<string, unknown> = {};
  for (const group of groups) {
    const value = valueAt(imported, group);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) collect(`${group}.${name}`, member, locked, wanted);
  }
  const draft = Object.entries(wanted).reduce<Draft>(
    (result, [path, value]) => withValue(result, path, value),
    current,
  );
  const problems = problemsOf(draft);
  if (problems.size > 0) {
    return { ok: false, problems: [...problems].map(([path, text]) => ({ path, text })) };
  }
  // As the schema reads them: members it does not know stay out.
  const parsed = Settings.parse(draft);
  const changes = Object.keys(wanted)
    .map((path) => [path, valueAt(parsed, path)] as const)
    .filter(([, value]) => value !== undefined);
  return { ok: true, changes: Object.fromEntries(changes) };
}

/** Down to single fields where the organisation locks some of a group. */
function collect(
  path: string,
  value: unknown,
  locked: readonly string[],
  into: Record<string, unknown>,
): void {
  if (isLocked(locked, path)) return;
  const lockedInside = locked.some((one) => one.startsWith(`${path}.`));
  if (lockedInside && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) collect(`${path}.${name}`, member, locked, into);
    return;
  }
  into[path] = value;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
