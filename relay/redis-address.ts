/** A database that is named in another way than `/N` would be overlooked, and 0 used. */
export function isRedisAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return /^(?:\/\d*)?$/.test(pathname) && search + hash === '';
}
