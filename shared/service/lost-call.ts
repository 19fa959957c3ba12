/**
 * `lost-call` (section 7): the caller did not answer in time. Where it appears is not documented, so every field that
 * could say it is asked, in a reply and in a notification alike.
 */
const places = ['status', 'callstatus', 'event', 'message', 'error', 'code'] as const;

export function isLostCall(body: Readonly<Record<string, unknown>>): boolean {
  return places.some((place) => {
    const value = body[place];
    if (typeof value === 'string') return /\blost[-_ ]?call\b/i.test(value);
    // `error` as an object with a code or a message is the other common form.
    if (place === 'error' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return isLostCall({ ...value, error: undefined });
    return false;
  });
}
