/** The relay's settings from the environment; docs/operators.md explains them. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { isPlaintextBeyond } from '../shared/address.ts';
import { NumberSettings } from '../shared/numbers/number-settings.ts';
import {
  type CheckTogether,
  hostAndPort,
  httpAddress,
  list,
  parsedBy,
  publicAddress,
  readEnvironment,
  readOrReport,
  readTextFile,
  SettingsError,
  unknownVariables,
  variableName,
  wholeNumber,
  yesOrNo,
} from '../shared/server/environment.ts';
import { logLevels } from '../shared/server/log.ts';
import { parseFieldMap } from '../shared/service/field-map.ts';
import { apiVersions, callMethods, callUrl, notifiedEvents, tokenPlaces } from '../shared/service/request.ts';
import { isDirectoryVariable, readSources } from './directory/directory-settings.ts';
import { readWebhookSecrets } from './forward/sign.ts';
import { isCrmVariable, readCrmSystems } from './log/crm-settings.ts';
import { readCountry } from './read-country.ts';
import { isRedisAddress } from './redis-address.ts';

export const settingsPrefix = 'DIALMARK_';

const baseAddress = httpAddress.pipe(
  parsedBy((value) => {
    callUrl(value);
    return value;
  }),
);

/**
 * A token that a header cannot carry would fail at the first call. Here it is reported at the start, without printing
 * it.
 */
const serviceToken = z.string().regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without blanks');

const variables = {
  listen: hostAndPort('127.0.0.1:8787'),
  /** Absent: the address that the relay really listens on. */
  publicUrl: publicAddress.optional(),
  /** Absent: the relay only follows calls that clients place themselves. */
  providerUrl: baseAddress.optional(),
  providerSecondaryUrl: baseAddress.optional(),
  providerToken: serviceToken.optional(),
  providerTokenFile: parsedBy(readTextFile).pipe(serviceToken).optional(),
  providerTokenIn: z.enum(tokenPlaces).default('header'),
  providerMethod: z.string().toLowerCase().pipe(z.enum(callMethods)).default('post'),
  providerVersion: z.enum(apiVersions).default('v1'),
  providerMap: parsedBy(parseFieldMap).optional(),
  /**
   * `all`: ringing, answers and hang-up at a service that announces them. `hangup`: the relay does not ask the
   * service's health route for them.
   */
  providerEvents: z.enum(notifiedEvents).default('all'),
  providerRecordingId: z.enum(['callid', 'audioFile']).default('callid'),
  allowPlaintext: yesOrNo.default(false),
  /** Absent: notifications are not forwarded. */
  forwardUrl: httpAddress
    .refine(
      (value) => !URL.canParse(value) || (new URL(value).username === '' && new URL(value).password === ''),
      'expected an address without a user name; the signature says who sends',
    )
    .optional(),
  /** Current secret first. Every delivery is signed with each secret. */
  forwardSecret: parsedBy(readWebhookSecrets).optional(),
  /** Absent: fields keep the names that they came under. */
  forwardMap: parsedBy(parseFieldMap).optional(),
  /** Absent: the default rules. JSON, read again when it changes. */
  rulesFile: z.string().optional(),
  /** The folder in which this relay keeps the large lists of its rules. Absent: beside the store. */
  listsFolder: z.string().optional(),
  store: z
    .string()
    .regex(/^(sqlite:.+|rediss?:\/\/.+|memory:)$/, 'expected sqlite:PATH, redis://HOST:PORT/N or memory:')
    .refine(
      (value) => !/^rediss?:/.test(value) || isRedisAddress(value),
      'expected an address like redis://HOST:PORT/N; a password in it is percent-encoded',
    )
    .default('sqlite:data/relay.db'),
  storeMaxMb: wholeNumber(1, 1_000_000).optional(),
  /** Current secret first. Absent: the relay makes a secret once beside its store, which is then a file or memory. */
  secret: list
    .refine(
      (secrets) => secrets.length <= 4 && secrets.every((secret) => secret.length >= 32),
      'expected at least 32 random characters each: current, or current,previous',
    )
    .optional(),
  country: parsedBy(readCountry).optional(),
  /** The agents' area code, for numbers that are written without one. */
  areaCode: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'expected an area code without its trunk zero, like 48')
    .optional(),
  dialCountries: list.pipe(z.array(parsedBy(readCountry))).optional(),
  dialBlockedPrefixes: list
    .refine(
      (prefixes) => prefixes.every((prefix) => /^\+?\d{1,15}$/.test(prefix)),
      'expected digits, separated by commas',
    )
    .default([]),
  dialExtensions: list
    .refine(
      (patterns) => NumberSettings.shape.extensions.safeParse(patterns).success,
      'expected digits, or patterns with _ before them like _11XX, separated by commas',
    )
    .default([]),
  /** Digits that a dial plan puts in front to reach the outside. */
  dialOutsidePrefix: z
    .string()
    .regex(/^\d{1,6}$/, 'expected 1 to 6 digits')
    .optional(),
  dialShortNumbers: yesOrNo.default(true),
  maxCallsPerMinute: wholeNumber(1, 1_000_000).default(120),
  maxCallsPerDestinationPerMinute: wholeNumber(1, 1_000_000).default(30),
  maxCallsPerDay: wholeNumber(1, 100_000_000).default(10_000),
  maxRequestsPerMinute: wholeNumber(1, 100_000_000).optional(),
  maxFailedRequestsPerMinute: wholeNumber(1, 1_000_000).default(300),
  maxStreams: wholeNumber(1, 1_000_000).default(15_000),
  maxStreamsPerKey: wholeNumber(1, 1_000_000).default(10_000),
  maxCallMinutes: wholeNumber(1, 10_000).default(240),
  connectTimeoutSeconds: wholeNumber(1, 60).default(3),
  streamSeconds: wholeNumber(1, 86_400).default(600),
  retentionDays: wholeNumber(1, 10_000).default(90),
  replayHours: wholeNumber(1, 10_000).default(168),
  trustedProxies: list
    .refine(
      (networks) => networks.every(isNetwork),
      'expected addresses or networks like 10.0.0.0/8, separated by commas',
    )
    .optional(),
  metricsToken: z.string().min(16, 'expected at least 16 characters').optional(),
  logLevel: z.enum(logLevels).default('info'),
};

const checkTogether: CheckTogether<typeof variables> = (values, isSet, report) => {
  const required = (name: string) => `expected ${settingsPrefix}${name} to be set too`;
  if (values.providerUrl === undefined && values.providerSecondaryUrl !== undefined)
    report('providerSecondaryUrl', required('PROVIDER_URL'));
  if (isSet('providerToken') && isSet('providerTokenFile'))
    report('providerToken', `expected either this or ${settingsPrefix}PROVIDER_TOKEN_FILE, not both`);
  if (values.providerUrl !== undefined && !isSet('providerToken') && !isSet('providerTokenFile')) {
    // Problems of the address are reported with a missing token. The operator then need not find them at the next
    // start.
    for (const [property, note] of callPathNotes(values)) report(property, note);
    report(
      'providerToken',
      `expected the service token, here or in the file named by ${settingsPrefix}PROVIDER_TOKEN_FILE`,
    );
  }
  // Without a country, digits do not say which number of the world they reach.
  const international = values.dialBlockedPrefixes?.find((prefix) => prefix.startsWith('+'));
  if (international !== undefined && values.country === undefined && !values.dialCountries?.length)
    report(
      'dialBlockedPrefixes',
      `${required('COUNTRY')}: without it the digits of ${international} are not known`,
    );
  if (values.forwardUrl !== undefined && !isSet('forwardSecret'))
    report('forwardSecret', `expected the secret that ${settingsPrefix}FORWARD_URL checks signatures with`);
  for (const property of ['forwardSecret', 'forwardMap'] as const)
    if (isSet(property) && !isSet('forwardUrl')) report(property, required('FORWARD_URL'));
  if (/^rediss?:/.test(values.store) && !isSet('secret'))
    report(
      'secret',
      'expected a secret for the relays that share this Redis; each would make one of its own',
    );
  if (values.allowPlaintext) return;
  for (const [property, content] of [
    ['providerUrl', 'the token'],
    ['providerSecondaryUrl', 'the token'],
    ['forwardUrl', 'numbers and recordings'],
  ] as const) {
    const address = values[property];
    if (address !== undefined && isPlaintextBeyond('private', address))
      report(
        property,
        `plain http would send ${content} in clear over the Internet; use https, ` +
          `or set ${settingsPrefix}ALLOW_PLAINTEXT=1`,
      );
  }
};

export type RelaySettings = ReturnType<typeof readRelaySettings>;
export type ProviderSettings = NonNullable<RelaySettings['provider']>;

/** @throws SettingsError naming every variable that is wrong, not only the first. */
export function readRelaySettings(environment: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  let parsed: Partial<z.output<z.ZodObject<typeof variables>>> = {};
  let isCountryWrong = false;
  const own = readOrReport(problems, () =>
    readEnvironment(withoutSystems(environment), settingsPrefix, variables, (values, isSet, report) => {
      parsed = values;
      isCountryWrong =
        (values.country === undefined && isSet('country')) ||
        (values.dialCountries === undefined && isSet('dialCountries'));
      checkTogether(values, isSet, report);
    }),
  );
  const country = parsed.country ?? parsed.dialCountries?.[0];
  // A wrong `allowPlaintext` is reported once, not again for each system that it decides about.
  const allowPlaintext = parsed.allowPlaintext ?? true;
  const crms = readOrReport(problems, () => readCrmSystems(environment, allowPlaintext));
  const defaults = { country, isCountryWrong, allowPlaintext, crms: crms ?? [] };
  const sources = readOrReport(problems, () => readSources(environment, defaults));
  // If one of the relay's own settings is wrong, the report already names the unknown variables.
  if (own && problems.length > 0) problems.push(...unknownRelayVariables(environment));
  if (!own || !crms || !sources) throw new SettingsError(problems);
  const { listen, ...values } = own;
  return {
    ...values,
    /** The CRMs that calls are logged in. */
    crms,
    /** The sources of names. */
    sources,
    ...listen,
    country,
    provider:
      values.providerUrl === undefined
        ? undefined
        : {
            /** Primary first; at least one. */
            addresses: [values.providerUrl, values.providerSecondaryUrl].filter(
              (address) => address !== undefined,
            ),
            token: (values.providerTokenFile ?? values.providerToken)!,
            tokenIn: values.providerTokenIn,
            method: values.providerMethod,
          },
    forward:
      values.forwardUrl === undefined
        ? undefined
        : { url: values.forwardUrl, secrets: values.forwardSecret!, map: values.forwardMap },
  };
}

/** Removes the variables of CRMs and directories, because the operator chooses their names. */
const withoutSystems = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !isCrmVariable(name) && !isDirectoryVariable(name)),
  );

/** A sentence for each setting that does not exist. */
export const unknownRelayVariables = (environment: NodeJS.ProcessEnv): string[] =>
  unknownVariables(withoutSystems(environment), settingsPrefix, variables);

/** Warnings at the start: settings that are accepted, but likely not what was meant. */
export function doubtfulSettings(settings: RelaySettings): string[] {
  return [
    ...(settings.provider
      ? []
      : [
          `${settingsPrefix}PROVIDER_URL: not set, so this relay places no calls; ` +
            'it follows those that browsers place themselves',
        ]),
    ...publicUrlNotes(settings).map((note) => `${settingsPrefix}PUBLIC_URL: ${note}`),
    ...callPathNotes(settings).map(
      ([property, note]) => `${variableName(settingsPrefix, property)}: ${note}`,
    ),
  ];
}

/** Warnings about a public address that is likely not what was meant. */
export function publicUrlNotes({ publicUrl }: RelaySettings): string[] {
  if (publicUrl === undefined) return [];
  const hasPath = new URL(publicUrl).pathname !== '/';
  return [
    ...(isPlaintextBeyond('loopback', publicUrl)
      ? ['plain http sends keys and numbers in clear; use https beyond this machine']
      : []),
    ...(hasPath ? ['a path in it needs a reverse proxy that removes the path from each request'] : []),
  ];
}

/** Notes about addresses of the provider that end with `/call`. The relay adds this path itself. */
function callPathNotes(addresses: { [name in 'providerUrl' | 'providerSecondaryUrl']?: string | undefined }) {
  return (['providerUrl', 'providerSecondaryUrl'] as const).flatMap((property) => {
    const address = addresses[property];
    if (address === undefined || !/\/call\/*$/.test(new URL(address).pathname)) return [];
    const note = 'the /call at its end is dropped; it is added to every address';
    return [[property, note] as const];
  });
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
