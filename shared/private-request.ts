/** Options of each request that carries a key or a token: it takes no cookies along and follows no redirect. */
export const privateRequest = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;
