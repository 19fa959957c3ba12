/** The request of `/call` (sections 2.1, 4.1 and 5): its fields, and how they become a POST or a GET. */
import { z } from 'zod/mini';
import { endpointUrl } from '../address.ts';
import { FieldMapText } from './field-map.ts';

export const apiVersions = ['v1', 'v2'] as const;
/** Section 9. */
export const ApiVersion = z.enum(apiVersions);
export type ApiVersion = z.infer<typeof ApiVersion>;

/** Section 8. */
export const defaultTimeoutSeconds = 12;

const httpUrl = z.string().check(
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'expected an address that starts with http:// or https://',
  }),
);

/**
 * Code of an agent or extension. The service does not define its characters. PBXs accept these, and logs and URLs can
 * hold them.
 */
export const CallerCode = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9_.+#*-]{1,64}$/,
      'expected an agent or extension code: letters, digits or _ . + # * -, at most 64',
    ),
  );

/** `to`: digits only. 32 is twice what E.164 allows, so every dial prefix fits. */
export const CalleeDigits = z
  .string()
  .check(z.regex(/^\d{1,32}$/, 'expected 1 to 32 digits and nothing else'));

export const TimeoutSeconds = z
  .int()
  .check(z.minimum(1, 'expected at least 1 second'), z.maximum(600, 'expected at most 600 seconds'));

export const CallerId = z
  .string()
  .check(z.regex(/^\+?\d{1,32}$/, 'expected digits, with or without a leading +'));

/** Every field of section 2.1 except the token, which is sent separately. Strict: an unknown field is refused. */
export const CallRequest = z.strictObject({
  from: CallerCode,
  to: CalleeDigits,
  timeout: z.optional(TimeoutSeconds),
  force_from: z.optional(z.enum(['yes', 'no'])),
  returnurl: z.optional(httpUrl),
  callerid: z.optional(CallerId),
  map: z.optional(FieldMapText),
  version: z.optional(ApiVersion),
});
export type CallRequest = z.infer<typeof CallRequest>;

/**
 * The events that the service shall notify of. The provider's cloud notifies of `hangup`. `all` adds ringing and
 * answers, which our own calling service reports. The field is ours, so it is sent only to a service that announces
 * `ourFeatures`.
 */
export const notifiedEvents = ['hangup', 'all'] as const;
type NotifiedEvents = (typeof notifiedEvents)[number];
/** What our calling service and the sandbox announce in the reply of `GET /healthz`. */
export const ourFeatures = { events: notifiedEvents, hangUp: true };
export type CallRequestWithEvents = CallRequest & { events?: NotifiedEvents };

export const tokenPlaces = ['header', 'body', 'query'] as const;
/** The three ways to send the token (section 5). Which wins is not documented, so exactly one is used. */
export type TokenPlace = (typeof tokenPlaces)[number];
export const callMethods = ['post', 'get'] as const;
export type CallMethod = (typeof callMethods)[number];

interface ServiceCredentials {
  token: string;
  tokenIn: TokenPlace;
}

/** A request ready to be sent by fetch, undici or anything else. */
export interface HttpRequest {
  url: string;
  method: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
}

/** `{base}/call` (section 4.1). @throws Error as `endpointUrl` does. */
export function callUrl(base: string): URL {
  return endpointUrl(base, '/call', 'base address');
}

/**
 * The request as the service expects it (section 4.1). In the `body` of a POST, the token is a JSON key. A GET has no
 * body, so the token is a query parameter.
 */
export function buildCall(
  base: string,
  request: CallRequestWithEvents,
  credentials: ServiceCredentials,
  method: CallMethod,
): HttpRequest {
  const url = callUrl(base);
  const fields: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(request)) if (value !== undefined) fields[name] = value;
  const headers: Record<string, string> = { accept: 'application/json' };

  if (credentials.tokenIn === 'header') headers.authorization = `Bearer ${credentials.token}`;
  if (credentials.tokenIn === 'query' || (credentials.tokenIn === 'body' && method === 'get'))
    url.searchParams.set('token', credentials.token);

  if (method === 'get') {
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
    return { url: url.href, method: 'GET', headers };
  }
  headers['content-type'] = 'application/json';
  const body = credentials.tokenIn === 'body' ? { token: credentials.token, ...fields } : fields;
  return { url: url.href, method: 'POST', headers, body: JSON.stringify(body) };
}

/** Hangs up a call at our calling service: 202, 409 if the call is over, 404 if it is unknown. */
export function buildHangUp(base: string, callid: string, token: string): HttpRequest {
  return {
    url: `${callUrl(base).href}/${encodeURIComponent(callid)}`,
    method: 'DELETE',
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
  };
}
