/**
 * Accepts an address without a database, or with one as `/N`. A database in any other form would be overlooked, and 0
 * used.
 */
export function isRedisAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return /^(?:\/\d*)?$/.test(pathname) && search + hash === '';
}
