/** Options of each request that carries a key or a token. It does not send cookies and does not follow a redirect. */
export const privateRequest = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;
