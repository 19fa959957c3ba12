/**
 * The settings of the calling service on one's own Asterisk: `DIALMARK_PBX_` variables, each documented in
 * docs/pbx.md.
 */
import { z } from 'zod';
import { hostInUrl, isPlaintextBeyond, withoutTrailingSlash } from '../../shared/address.ts';
import {
  hostAndPort,
  httpAddress,
  list,
  parsedBy,
  publicAddress,
  readEnvironment,
  readTextFile,
  unknownVariables,
  wholeNumber,
  yesOrNo,
} from '../../shared/server/environment.ts';
import { logLevels } from '../../shared/server/log.ts';
import { defaultTimeoutSeconds } from '../../shared/service/request.ts';

const prefix = 'DIALMARK_PBX_';

/** A name in the dialplan, without characters that could start another channel, option or function. */
const dialplanName = z.string().regex(/^[A-Za-z0-9_-]{1,79}$/, 'expected a name of letters, digits, _ and -');

/** A wildcard, or `http//`, would not allow any address. A path does not matter. */
const returnHost = /^(?:https?:\/\/)?(?:\[[0-9a-f:.]+\]|[^\s*/:@]+)(?::\d{1,5})?(?:\/(?!\/).*)?$/i;

const schemas = {
  listen: hostAndPort('127.0.0.1:3000'),
  /** The address at which readers of recordings reach this service. Absent: the address where it listens. */
  publicUrl: publicAddress.optional(),
  /** The relay's own setting begins with the kind of store. Here the kind would be part of the path. */
  store: z
    .string()
    .regex(/^(?![a-z]{2,}:)/i, 'expected the path of a file, without sqlite: before it')
    .default('data/pbx.db'),

  ami: hostAndPort('127.0.0.1:5038'),
  amiUser: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected the user name of manager.conf')
    .optional(),
  amiSecret: z.string().optional(),
  amiSecretFile: parsedBy(readTextFile)
    .pipe(z.string().min(1, 'expected a file with the secret of manager.conf; it is empty'))
    .optional(),
  allowPlaintext: yesOrNo.prefault('0'),

  agentChannel: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9]*\/[A-Za-z0-9_.@{}/-]+$/,
      'expected a channel with {from} in it, for example PJSIP/{from}',
    )
    .refine((value) => value.split('{from}').length === 2, 'expected {from} once in it')
    .default('PJSIP/{from}'),
  context: dialplanName.default('from-internal'),
  /** Contexts that may be dialled into. A typing error in `context` must not reach another context. */
  allowedContexts: list.pipe(z.array(dialplanName)).optional(),
  extension: z
    .string()
    .regex(/^[0-9*#]*\{to\}$/, 'expected digits and {to}, for example 0{to}')
    .default('{to}'),
  priority: wholeNumber(1, 1000).prefault('1'),
  timeoutSeconds: wholeNumber(1, 600).prefault(String(defaultTimeoutSeconds)),

  /** Who may be notified: HOST, HOST:PORT, or with http:// or https:// before it. */
  returnHosts: list
    .refine(
      (entries) => entries.every((entry) => returnHost.test(entry)),
      'expected hosts like relay.example, HOST:PORT or https://HOST, separated by commas',
    )
    .prefault('127.0.0.1:8787,localhost:8787'),
  recordingsFolder: z.string().optional(),
  recordingsUrl: httpAddress.transform(withoutTrailingSlash).optional(),
  recordingDays: wholeNumber(1, 3650).prefault('90'),
  secret: z.string().min(32, 'expected at least 32 random characters').optional(),
  retentionDays: wholeNumber(1, 10_000).prefault('90'),
  /** Absent: recordings are never deleted. */
  recordingRetentionDays: wholeNumber(1, 10_000).optional(),
  metricsToken: z.string().min(16, 'expected at least 16 characters').optional(),
  logLevel: z.enum(logLevels).default('info'),
};

/** @throws SettingsError naming every variable that is wrong. */
export function readPbxSettings(environment: NodeJS.ProcessEnv) {
  const settings = readEnvironment(environment, prefix, schemas, (values, isSet, report) => {
    const contexts = values.allowedContexts;
    if (contexts && values.context !== undefined && !contexts.includes(values.context))
      report('context', `expected one of ${contexts.join(', ')}, got ${values.context}`);
    if (isSet('amiSecret') && isSet('amiSecretFile'))
      report('amiSecret', `expected either this or ${prefix}AMI_SECRET_FILE, not both`);
    if (
      values.ami &&
      !values.allowPlaintext &&
      isPlaintextBeyond('private', `http://${hostInUrl(values.ami.host)}`)
    )
      report(
        'ami',
        `AMI is not encrypted: expected an address of a private network, or ${prefix}ALLOW_PLAINTEXT=1`,
      );
    if (isSet('recordingRetentionDays') && !isSet('recordingsFolder'))
      report('recordingRetentionDays', `expected ${prefix}RECORDINGS_FOLDER to be set too`);
    // When a call is deleted, the name of its recording is lost.
    if ((values.recordingRetentionDays ?? 0) > (values.retentionDays ?? Number.POSITIVE_INFINITY))
      report('recordingRetentionDays', `expected at most ${prefix}RETENTION_DAYS (${values.retentionDays})`);
    if (isSet('recordingsUrl') && isSet('recordingsFolder'))
      report('recordingsUrl', `expected either this or ${prefix}RECORDINGS_FOLDER, not both`);
  });
  return { ...settings, amiSecret: settings.amiSecretFile ?? settings.amiSecret };
}

export type PbxSettings = ReturnType<typeof readPbxSettings>;

export const unknownPbxVariables = (environment: NodeJS.ProcessEnv): string[] =>
  unknownVariables(environment, prefix, schemas);

const hasScheme = (entry: string): boolean => /^https?:\/\//i.test(entry);

/**
 * Whether notifications may go to this address. An entry with a scheme allows that scheme alone. An entry without a
 * scheme allows https, and http within a private network.
 */
export function isReturnAllowed({ returnHosts }: Pick<PbxSettings, 'returnHosts'>, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol } = new URL(address);
  return returnHosts.some((entry) => {
    const allowed = hasScheme(entry) ? entry : `${protocol}//${entry}`;
    if (!URL.canParse(allowed) || new URL(allowed).origin !== origin) return false;
    return hasScheme(entry) || !isPlaintextBeyond('private', address);
  });
}
