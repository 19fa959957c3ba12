/** The relay's settings: one schema over the environment (design.md, section 4). docs/operators.md tells them to people. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { isPlaintextBeyond, withoutTrailingSlash } from '../shared/address.ts';
import { type FieldMap, parseFieldMap } from '../shared/service/field-map.ts';
import { callUrl } from '../shared/service/request.ts';
import { readWebhookSecret } from './forward/sign.ts';

const minutesToSeconds = 60;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'expected a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected ${min} to ${max}`);

const yesOrNo = z
  .enum(['1', '0', 'true', 'false', 'yes', 'no'], 'expected 1 or 0')
  .transform((value) => value === '1' || value === 'true' || value === 'yes');

const baseAddress = z.string().superRefine((value, context) => {
  try {
    callUrl(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

const countries = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim().toUpperCase()))
  .refine(
    (list) => list.every((code) => /^[A-Z]{2}$/.test(code)),
    'expected country codes like BR,US, separated by commas',
  );

/** A secret shorter than this may be guessed; the relay says so at its start. */
export const goodSecretLength = 32;

/** One entry per variable, without the DIALMARK_ prefix. */
const Environment = z.object({
  LISTEN: z
    .string()
    .regex(/^(\[[0-9a-f:]+\]|[^:\s]+):\d{1,5}$/i, 'expected HOST:PORT, for example 127.0.0.1:8787')
    .refine(
      (value) => Number(value.slice(value.lastIndexOf(':') + 1)) <= 65535,
      'expected a port up to 65535',
    )
    .default('127.0.0.1:8787'),
  PUBLIC_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'expected an address that starts with http:// or https://',
    )
    .transform(withoutTrailingSlash)
    .optional(),
  PROVIDER_URL: baseAddress.optional(),
  PROVIDER_SECONDARY_URL: baseAddress.optional(),
  SECONDARY_URL: baseAddress.optional(),
  PROVIDER_TOKEN: z.string().optional(),
  PROVIDER_TOKEN_FILE: z.string().optional(),
  PROVIDER_TOKEN_IN: z.enum(['header', 'body', 'query']).default('header'),
  PROVIDER_METHOD: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['post', 'get']))
    .default('post'),
  PROVIDER_VERSION: z.enum(['v1', 'v2']).default('v1'),
  PROVIDER_MAP: z.string().optional(),
  PROVIDER_RECORDING_ID: z.enum(['callid', 'audioFile']).default('callid'),
  ALLOW_PLAINTEXT: yesOrNo.default(false),
  FORWARD_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'expected an address that starts with http:// or https://',
    )
    .refine(
      (value) => !URL.canParse(value) || (new URL(value).username === '' && new URL(value).password === ''),
      'expected an address without a user name; the signature says who sends',
    )
    .optional(),
  FORWARD_SECRET: z
    .string()
    .transform((value) => value.split(',').map((part) => readWebhookSecret(part.trim())))
    .refine(
      (list) => list.length <= 4 && list.every((secret) => secret !== undefined),
      'expected whsec_ and base64 of 24 to 64 bytes: current, or current,previous',
    )
    .transform((list) => list as Buffer[])
    .optional(),
  FORWARD_MAP: z.string().optional(),
  STORE: z
    .string()
    .regex(/^(sqlite:.+|rediss?:\/\/.+|memory:)$/, 'expected sqlite:PATH, redis://HOST:PORT/N or memory:')
    .default('sqlite:data/relay.db'),
  STORE_MAX_MB: wholeNumber(1, 1_000_000).optional(),
  SECRET: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine(
      (list) => list.length <= 4 && list.every((secret) => secret.length >= 8),
      'expected at least 8 characters each, better 32 random ones: current, or current,previous',
    )
    .optional(),
  COUNTRY: z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'expected a country code like BR')
    .optional(),
  DIAL_COUNTRIES: countries.optional(),
  DIAL_BLOCKED_PREFIXES: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine(
      (list) => list.every((prefix) => /^\+?\d{1,15}$/.test(prefix)),
      'expected digits, separated by commas',
    )
    .default([]),
  DIAL_EXTENSIONS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .default([]),
  DIAL_OUTSIDE_PREFIX: z
    .string()
    .regex(/^\d{1,6}$/, 'expected 1 to 6 digits')
    .optional(),
  DIAL_SHORT_NUMBERS: yesOrNo.default(true),
  MAX_CALLS_PER_MINUTE: wholeNumber(1, 1_000_000).default(120),
  MAX_CALLS_PER_DESTINATION_PER_MINUTE: wholeNumber(1, 1_000_000).default(30),
  MAX_CALLS_PER_DAY: wholeNumber(1, 100_000_000).default(10_000),
  MAX_REQUESTS_PER_MINUTE: wholeNumber(1, 100_000_000).optional(),
  MAX_FAILED_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(300),
  MAX_STREAMS: wholeNumber(1, 1_000_000).default(15_000),
  MAX_STREAMS_PER_KEY: wholeNumber(1, 1_000_000).default(10_000),
  MAX_CALL_MINUTES: wholeNumber(1, 10_000).default(240),
  CONNECT_TIMEOUT_SECONDS: wholeNumber(1, 60).default(3),
  STREAM_SECONDS: wholeNumber(1, 86_400).default(600),
  RETENTION_DAYS: wholeNumber(1, 10_000).default(90),
  REPLAY_HOURS: wholeNumber(1, 10_000).default(168),
  TRUSTED_PROXIES: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine(
      (list) => list.every((part) => isNetwork(part)),
      'expected addresses or networks like 10.0.0.0/8, separated by commas',
    )
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'expected at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
});

export interface ProviderSettings {
  /** Primary first; at least one. */
  addresses: readonly string[];
  token: string;
  tokenIn: 'header' | 'body' | 'query';
  method: 'post' | 'get';
}

export interface ForwardSettings {
  url: string;
  /** Current first; everything is signed with each. */
  secrets: readonly Buffer[];
  /** Absent: fields keep the names that they came under. */
  map?: FieldMap;
}

export interface Settings {
  host: string;
  port: number;
  /** Absent: the address that the relay really listens on. No trailing slash. */
  publicUrl?: string;
  /** Absent: the relay only follows calls that clients place themselves. */
  provider?: ProviderSettings;
  version: 'v1' | 'v2';
  map?: FieldMap;
  recordingKey: 'callid' | 'audioFile';
  /** Absent: notifications are not forwarded. */
  forward?: ForwardSettings;
  store: string;
  storeMaxMegabytes?: number;
  /** Current first. Absent: made once beside the store. */
  secrets?: readonly string[];
  country?: string;
  dialCountries?: readonly string[];
  blockedPrefixes: readonly string[];
  extensions: readonly string[];
  shortNumbers: boolean;
  /** Digits that a dial plan puts in front to reach the outside. */
  outsidePrefix?: string;
  maxCallsPerMinute: number;
  maxCallsPerDestinationPerMinute: number;
  maxCallsPerDay: number;
  maxRequestsPerMinute?: number;
  maxFailedRequestsPerMinute: number;
  maxStreams: number;
  maxStreamsPerKey: number;
  maxCallSeconds: number;
  connectTimeoutSeconds: number;
  streamSeconds: number;
  retentionDays: number;
  replayHours: number;
  trustedProxies?: readonly string[];
  metricsToken?: string;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
}

/** What was wrong, one sentence per variable. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const prefix = 'DIALMARK_';

/** Variables that start with our prefix and mean nothing to the relay: most likely a slip of the pen, worth a warning. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !(name.slice(prefix.length) in Environment.shape),
  );
}

/** @throws SettingsError naming every variable that is wrong, not only the first. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => name.startsWith(prefix) && value !== undefined && value.trim() !== '')
      .map(([name, value]) => [name.slice(prefix.length), value!.trim()]),
  );
  const problems: string[] = [];
  // One by one, so that what one variable says wrong does not hide what another does.
  const env = Object.fromEntries(
    Object.entries(Environment.shape).map(([name, schema]) => {
      const parsed = schema.safeParse(given[name]);
      if (!parsed.success) problems.push(`${prefix}${name}: ${parsed.error.issues[0]!.message}`);
      return [name, parsed.data];
    }),
  ) as z.infer<typeof Environment>;
  const token = readToken(env, problems);
  const secondary = env.PROVIDER_SECONDARY_URL ?? env.SECONDARY_URL;
  const map = readMap('PROVIDER_MAP', env.PROVIDER_MAP, problems);
  const forwardMap = readMap('FORWARD_MAP', env.FORWARD_MAP, problems);

  if (env.PROVIDER_URL === undefined && secondary !== undefined)
    problems.push(`${prefix}PROVIDER_SECONDARY_URL: expected ${prefix}PROVIDER_URL to be set too`);
  if (env.PROVIDER_URL !== undefined && token === undefined && env.PROVIDER_TOKEN_FILE === undefined)
    problems.push(
      `${prefix}PROVIDER_TOKEN: expected the service token, here or in the file named by ${prefix}PROVIDER_TOKEN_FILE`,
    );
  for (const [name, value] of [
    ['PROVIDER_URL', env.PROVIDER_URL],
    ['PROVIDER_SECONDARY_URL', secondary],
  ] as const) {
    if (value !== undefined && !env.ALLOW_PLAINTEXT && isPlaintextBeyond('private', value))
      problems.push(
        `${prefix}${name}: plain http would send the token in clear over the Internet; use https, or set ${prefix}ALLOW_PLAINTEXT=1`,
      );
  }
  if (env.FORWARD_URL !== undefined) {
    if (given.FORWARD_SECRET === undefined)
      problems.push(
        `${prefix}FORWARD_SECRET: expected the secret that ${prefix}FORWARD_URL checks signatures with`,
      );
    if (!env.ALLOW_PLAINTEXT && isPlaintextBeyond('private', env.FORWARD_URL))
      problems.push(
        `${prefix}FORWARD_URL: plain http would send numbers and recordings in clear over the Internet; use https, or set ${prefix}ALLOW_PLAINTEXT=1`,
      );
  } else if (given.FORWARD_URL === undefined) {
    for (const name of ['FORWARD_SECRET', 'FORWARD_MAP'])
      if (given[name] !== undefined)
        problems.push(`${prefix}${name}: expected ${prefix}FORWARD_URL to be set too`);
  }
  if (problems.length > 0) throw new SettingsError(problems);

  const colon = env.LISTEN.lastIndexOf(':');
  const country = env.COUNTRY ?? env.DIAL_COUNTRIES?.[0];
  return {
    host: env.LISTEN.slice(0, colon).replace(/^\[|\]$/g, ''),
    port: Number(env.LISTEN.slice(colon + 1)),
    ...optional('publicUrl', env.PUBLIC_URL),
    ...optional(
      'provider',
      env.PROVIDER_URL === undefined
        ? undefined
        : {
            addresses: secondary === undefined ? [env.PROVIDER_URL] : [env.PROVIDER_URL, secondary],
            token: token!,
            tokenIn: env.PROVIDER_TOKEN_IN,
            method: env.PROVIDER_METHOD,
          },
    ),
    version: env.PROVIDER_VERSION,
    ...optional('map', map),
    recordingKey: env.PROVIDER_RECORDING_ID,
    ...optional(
      'forward',
      env.FORWARD_URL === undefined
        ? undefined
        : { url: env.FORWARD_URL, secrets: env.FORWARD_SECRET!, ...optional('map', forwardMap) },
    ),
    store: env.STORE,
    ...optional('storeMaxMegabytes', env.STORE_MAX_MB),
    ...optional('secrets', env.SECRET),
    ...optional('country', country),
    ...optional('dialCountries', env.DIAL_COUNTRIES),
    blockedPrefixes: env.DIAL_BLOCKED_PREFIXES,
    extensions: env.DIAL_EXTENSIONS,
    shortNumbers: env.DIAL_SHORT_NUMBERS,
    ...optional('outsidePrefix', env.DIAL_OUTSIDE_PREFIX),
    maxCallsPerMinute: env.MAX_CALLS_PER_MINUTE,
    maxCallsPerDestinationPerMinute: env.MAX_CALLS_PER_DESTINATION_PER_MINUTE,
    maxCallsPerDay: env.MAX_CALLS_PER_DAY,
    ...optional('maxRequestsPerMinute', env.MAX_REQUESTS_PER_MINUTE),
    maxFailedRequestsPerMinute: env.MAX_FAILED_REQUESTS_PER_MINUTE,
    maxStreams: env.MAX_STREAMS,
    maxStreamsPerKey: env.MAX_STREAMS_PER_KEY,
    maxCallSeconds: env.MAX_CALL_MINUTES * minutesToSeconds,
    connectTimeoutSeconds: env.CONNECT_TIMEOUT_SECONDS,
    streamSeconds: env.STREAM_SECONDS,
    retentionDays: env.RETENTION_DAYS,
    replayHours: env.REPLAY_HOURS,
    ...optional('trustedProxies', env.TRUSTED_PROXIES),
    ...optional('metricsToken', env.METRICS_TOKEN),
    logLevel: env.LOG_LEVEL,
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function readToken(env: z.infer<typeof Environment>, problems: string[]): string | undefined {
  if (env.PROVIDER_TOKEN !== undefined && env.PROVIDER_TOKEN_FILE !== undefined)
    problems.push(`${prefix}PROVIDER_TOKEN: expected either this or ${prefix}PROVIDER_TOKEN_FILE, not both`);
  let token = env.PROVIDER_TOKEN;
  if (env.PROVIDER_TOKEN_FILE !== undefined) {
    try {
      token = readFileSync(env.PROVIDER_TOKEN_FILE, 'utf8').trim();
    } catch (error) {
      problems.push(
        `${prefix}PROVIDER_TOKEN_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`,
      );
      return undefined;
    }
  }
  // What cannot stand in a header would fail at the first call; here it is named at the start, without printing it.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    problems.push(`${prefix}PROVIDER_TOKEN: expected visible ASCII characters without blanks`);
  return token;
}

function readMap(name: string, text: string | undefined, problems: string[]): FieldMap | undefined {
  if (text === undefined) return undefined;
  try {
    return parseFieldMap(text);
  } catch (error) {
    problems.push(`${prefix}${name}: ${(error as Error).message}`);
    return undefined;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
