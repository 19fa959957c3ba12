/**
 * Section 4.2, steps 2 and 3: logs the PBX in at the registration API and reads the two keys that the PBX keeps.
 * The password and the reply's token (a JWT) stay in this file. Results and errors never contain them.
 */

import { z } from 'zod/mini';
import { endpointUrl, isPlaintextBeyond } from '../address.ts';
import { privateRequest } from '../private-request.ts';
import { readTextUpTo } from '../read-text.ts';
import { isObject, parseObject, printable } from '../service/json.ts';

/** Control characters are refused: a key that contains one could forge what a terminal shows. */
const RegistrationKey = z.string().check(z.minLength(1), z.maxLength(4096), z.regex(/^[^\p{Cc}\p{Cf}]+$/u));
const WholeNumber = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/))]),
  z.transform((value) => Number(value)),
);
/** Undefined where the value is missing or something else. */
const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);
const lenientText = lenient(z.string());
const lenientNumber = lenient(WholeNumber);

/** Trims the names of members: the service has sent `"   name"` beside `"name"`. The plain name wins. */
const trimmedObject = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.pipe(z.transform(trimNames), z.object(shape));
const Setting = trimmedObject({
  id: lenientNumber,
  key: lenientText,
  value: lenientText,
  service: lenient(trimmedObject({ id: lenientNumber, name: lenientText })),
});

/** The reply of step 3. Only the keys must be right. */
const LoginReply = z.object({
  details: z.object({
    id: lenientNumber,
    email: lenientText,
    first_name: lenientText,
    last_name: lenientText,
    client_key: RegistrationKey,
    api_key: RegistrationKey,
    settings: z.catch(z.array(z.catch(z.nullable(Setting), null)), []),
  }),
});

/** The account's names show whose keys these are. */
export interface LoginDetails {
  clientKey: string;
  apiKey: string;
  account: Record<'email' | 'firstName' | 'lastName', string | undefined> & { id: number | undefined };
  /** The settings that can be read. */
  settings: z.infer<typeof Setting>[];
}

export type LoginErrorCode =
  | 'badAddress' // not an address that a login can be sent to
  | 'insecure' // plain http, without the deliberate yes
  | 'unreachable' // no connection, or it broke before the answer
  | 'noAnswerInTime'
  | 'serviceDown' // 5xx
  | 'wrongPath' // 404, 405, or a redirect
  | 'wrongPassword' // the account or the password
  | 'refused' // the service refuses in its own words
  | 'notJson'
  | 'unreadableReply'; // JSON without the keys
interface LoginFailure {
  ok: false;
  error: {
    code: LoginErrorCode;
    /** A sentence that says what to do. Never holds the password or a token. */
    message: string;
    /** The service's own words, where it gave any. */
    reason?: string;
  };
}
type LoginResult = { ok: true; details: LoginDetails } | LoginFailure;

export interface LoginOptions {
  /** `{register_api_url}`, with or without the path of the login. */
  registerApiUrl: string;
  deviceUuid: string;
  email: string;
  password: string;
  fetch: typeof fetch;
  /** Allows plain http to another machine, where the password can be read on the way. */
  allowPlaintext?: boolean;
  /** Milliseconds until the whole reply is read. Default 20 s. */
  answerTimeout?: number;
}

const maxReplyBytes = 256 * 1024;

/** `{register_api_url}/api/v1/auth/login`. @throws Error as `endpointUrl` does. */
export function loginUrl(registerApiUrl: string): URL {
  return endpointUrl(registerApiUrl, '/api/v1/auth/login', 'registration address');
}

/** @returns where the login is sent to, or why it cannot be. */
export function readRegisterAddress({
  registerApiUrl,
  allowPlaintext,
}: Pick<LoginOptions, 'registerApiUrl' | 'allowPlaintext'>): { ok: true; url: URL } | LoginFailure {
  let url: URL;
  try {
    url = loginUrl(registerApiUrl);
  } catch (error) {
    return loginFailed('badAddress', (error as Error).message);
  }
  if (isPlaintextBeyond('loopback', url) && allowPlaintext !== true)
    return loginFailed(
      'insecure',
      `${url.origin} is plain http: the password could be read on the network. Use https, or allow plain text`,
    );
  return { ok: true, url };
}

/**
 * Logs the device in, once. Never throws. A redirect is not followed: the password would go to its target.
 */
export async function login(options: LoginOptions): Promise<LoginResult> {
  const address = readRegisterAddress(options);
  if (!address.ok) return address;
  const { url } = address;
  const { deviceUuid, email, password } = options;
  if (deviceUuid === '' || email === '' || password === '')
    return loginFailed(
      'badAddress',
      'the device UUID, the e-mail address and the password must not be empty',
    );

  const timeout = AbortSignal.timeout(options.answerTimeout ?? 20_000);
  try {
    const response = await options.fetch(url.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ device_uuid: deviceUuid, email, password }),
      signal: timeout,
      ...privateRequest,
      redirect: 'manual',
    });
    // A browser shows a redirect as an opaque answer with status 0.
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      return loginFailed(
        'wrongPath',
        `${url.href} redirects elsewhere; give the address that it redirects to, if you trust it`,
      );
    return readLogin(response.status, await readTextUpTo(response, maxReplyBytes), url, password);
  } catch {
    return timeout.aborted
      ? loginFailed('noAnswerInTime', `${url.host} did not answer in time; try again later`)
      : loginFailed('unreachable', `${url.host} cannot be reached; check the address and the network`);
  }
}

function readLogin(httpStatus: number, text: string, url: URL, password: string): LoginResult {
  const body = parseObject(text);
  // The service's own replies have a number as code. The reply for an unknown path may not.
  const own = WholeNumber.safeParse(body?.code);
  const code = own.success ? own.data : httpStatus;
  // A proxy or a website refuses with a page. The password was then not checked.
  const isPage = text.trimStart().startsWith('<');
  if (!isPage && (httpStatus === 401 || httpStatus === 403 || code === 401 || code === 403))
    return loginFailed(
      'wrongPassword',
      'the service does not accept this e-mail address and password for this device',
      serviceReason(body, password),
    );
  if (httpStatus >= 500)
    return loginFailed('serviceDown', `${url.host} answers HTTP ${httpStatus}; try again later`);
  if (httpStatus === 405 || (httpStatus === 404 && !own.success))
    return loginFailed('wrongPath', `nothing answers at ${url.href} (HTTP ${httpStatus}); check the address`);
  if (body === undefined)
    return loginFailed(
      'notJson',
      `something other than the service answers at ${url.href} (HTTP ${httpStatus}); check the address`,
    );
  if (httpStatus >= 300 || code < 200 || code >= 300)
    return loginFailed('refused', `the service refuses the login (${code})`, serviceReason(body, password));

  const reply = LoginReply.safeParse(body);
  if (!reply.success) {
    const missing = reply.error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ');
    return loginFailed('unreadableReply', `the answer lacks what a registration needs: ${missing}`);
  }
  const { id, email, first_name, last_name, client_key, api_key, settings } = reply.data.details;
  return {
    ok: true,
    details: {
      clientKey: client_key,
      apiKey: api_key,
      account: { id, email, firstName: first_name, lastName: last_name },
      settings: settings.filter((setting) => setting !== null),
    },
  };
}

const loginFailed = (code: LoginErrorCode, message: string, reason?: string): LoginFailure => ({
  ok: false,
  error: reason === undefined ? { code, message } : { code, message: `${message}: ${reason}`, reason },
});

/** The service's own words, without secrets that it may echo and without characters that could forge a log line. */
function serviceReason(body: Record<string, unknown> | undefined, password: string): string | undefined {
  const reason = [body?.message, body?.error, body?.detail].find((value) => typeof value === 'string');
  if (reason === undefined) return undefined;
  const withoutSecrets = reason.replaceAll(password, '***').replace(/\beyJ[\w-]*\.[\w-]*(\.[\w-]*)?/g, '***');
  return printable(withoutSecrets).slice(0, 200);
}

function trimNames(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries([...entries.map(([name, member]) => [name.trim(), member]), ...entries]);
}
