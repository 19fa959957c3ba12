/**
 * Removes secrets from what the service sent: the token, and the secret part of the return address that ends a call
 * (Laws 3, 5 and 6). A service may quote both anywhere: in a message, in `audio_url`, in the name of a channel. It may
 * also encode them, as `a%2Bb` or `a\u002bb`.
 */

/** The fewest characters of a secret that is removed. A shorter text, such as `OK`, says too much else. */
const minSecretLength = 4;
/**
 * The fewest characters of a secret that is removed inside words. A shorter secret could be a part of any word. It is
 * removed only if it is not inside a word.
 */
const minLengthInWords = 8;
/** The most characters of a secret in an expression. Behind them, the rest of the word is removed. */
const maxExpressedLength = 1000;
/** Not after a letter or digit, unless that ends an encoded character. */
const standsAloneFrom = '(?:(?<![A-Za-z0-9])|(?<=%(?:25){0,3}[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))';
const removed = '[removed]';

/** Starts an encoded character: percent-encoding, an escape of JSON, a character reference of HTML. */
const encoding = /%|\\|&#/;

/** The part of a relay's return address that authorises a notification; the rest of the address is public. */
export function capabilityIn(returnUrl: string | undefined): string | undefined {
  return returnUrl?.match(/\/h\/v1\/([^/?#]+)$/)?.[1];
}

/**
 * @param value parsed JSON, or a text.
 * @returns a copy without the secrets, in keys and values, as they are and encoded.
 */
export function withoutSecrets<T>(value: T, secrets: readonly (string | undefined)[]): T {
  const known = secrets.filter(
    (secret) => secret !== undefined && secret.length >= minSecretLength,
  ) as string[];
  // The longest first: a secret may end with another.
  const sorted = known.toSorted((a, b) => b.length - a.length);
  if (sorted.length === 0) return value;
  const isLong = sorted.every(({ length }) => length >= minLengthInWords);
  let starts: RegExp | undefined;
  let whole: RegExp | undefined;
  const clean = (text: string): string => {
    // Building an expression takes longer than a search for the plain texts.
    if (isLong && !encoding.test(text))
      return sorted.reduce((rest, secret) => rest.replaceAll(secret, removed), text);
    // The expression of a whole token may take a fifth of a second. Few texts hold even its start.
    starts ??= new RegExp(sorted.map((secret) => encodedForms(secret.slice(0, minLengthInWords))).join('|'));
    if (!starts.test(text)) return text;
    whole ??= new RegExp(sorted.map(wholeForm).join('|'), 'g');
    return text.replace(whole, removed);
  };
  return cleaned(value, clean) as T;
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number') return clean(String(value)) === String(value) ? value : removed;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleaned(item, clean)]));
}

/**
 * Matches a secret with any of its characters encoded, as `/` is in `%2F`, `%252f`, `\/`, `\u002f` and `&#47;`. A match
 * begins before a run of backslashes, never inside it. Otherwise, a text of backslashes alone would be searched from
 * each backslash.
 */
function encodedForms(secret: string): string {
  const forms = [...secret].map((character, index) => {
    const from = index === 0 ? '(?<!\\\\)' : '';
    const code = character.codePointAt(0)!;
    const hex = anyCase(code.toString(16).padStart(2, '0'));
    const plain = character.replace(/[^A-Za-z0-9]/, '\\$&');
    // The plain character is last: a plain `u` would match only the start of its own `\u0075`.
    return `(?:%(?:25)*${hex}|${from}\\\\+u0*${hex}|&#0*${code};|&#[xX]0*${hex};|${from}\\\\*${plain})`;
  });
  return forms.join('');
}

/** Matches a whole secret; a short one only where it stands alone. */
function wholeForm(secret: string): string {
  if (secret.length < minLengthInWords) return `${standsAloneFrom}${encodedForms(secret)}(?![A-Za-z0-9])`;
  const rest = secret.length > maxExpressedLength ? '[^\\s"\'<>]*' : '';
  return encodedForms(secret.slice(0, maxExpressedLength)) + rest;
}

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
