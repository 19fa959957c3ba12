/** Logs in from a page, with a host permission for that address only while it runs, and the password in memory only. */
import browser from 'webextension-polyfill';
import {
  type LoginErrorCode,
  login,
  loginUrl,
  type Registration,
} from '../../../shared/service/registration.ts';
import { patternOf } from '../../match-pattern.ts';
import { hasOrigins, requestOrigins } from '../parts/host-permission.ts';

export interface Account {
  registerApiUrl: string;
  deviceUuid: string;
  email: string;
  password: string;
  allowPlaintext: boolean;
}

export type LoggedIn =
  | { ok: true; registration: Registration }
  | { ok: false; code: LoginErrorCode | 'permissionRefused'; host: string; reason?: string };

/** Must be called directly by a click or submit: it requests the host permission first, and removes it if it is new. */
export async function logIn(account: Account): Promise<LoggedIn> {
  let host = account.registerApiUrl;
  try {
    host = loginUrl(account.registerApiUrl).host;
  } catch {
    return { ok: false, code: 'badAddress', host };
  }
  const origins = [patternOf(account.registerApiUrl)];
  const had = hasOrigins(origins);
  if (!(await requestOrigins(origins))) return { ok: false, code: 'permissionRefused', host };
  try {
    const result = await login({ ...account, fetch: (input, init) => fetch(input, init) });
    if (result.ok) return result;
    const { code, reason } = result.error;
    return { ok: false, code, host, ...(reason === undefined ? {} : { reason }) };
  } finally {
    if (!(await had)) await browser.permissions.remove({ origins }).catch(() => {});
  }
}
