/** Reads JSON of the service leniently: members may be missing, or numbers where the interface names strings. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns undefined where the text is not JSON, or not an object. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** How deep JSON may be nested. What reads it member by member would exhaust the stack on a hostile body. */
export const maxJsonDepth = 20;

/** Whether parsed JSON is nested deeper than that. Without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return true;
    const next: unknown[] = [];
    for (const entry of level)
      if (typeof entry === 'object' && entry !== null) {
        for (const member of Object.values(entry))
          if (typeof member === 'object' && member !== null) next.push(member);
      }
    level = next;
  }
  return false;
}

/** A string or number as text, cut to `maxLength`; undefined where it is empty or something else. */
export function asText(value: unknown, maxLength = 256): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined;
}

/** Text of the service without control characters and direction overrides, which could forge a log line or a page. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
