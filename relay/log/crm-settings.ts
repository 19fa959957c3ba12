/**
 * `DIALMARK_CRM_<NAME>_…`: the CRMs that calls are logged in. NAME is the `system` of templates;
 * docs/records.md explains each.
 */
import { z } from 'zod';
import { isPlaintextBeyond } from '../../shared/address.ts';
import { isTimeZone } from '../../shared/rules/local-clock.ts';
import { httpAddress, list, parsedBy, readEnvironment } from '../../shared/server/environment.ts';
import { readWebhookSecret } from '../forward/sign.ts';
import { loginVariables, readNamed, reportLogin, reportQuery, reportToken } from '../named-settings.ts';

const prefix = 'DIALMARK_CRM_';

const crmKinds = ['rt', 'odoo', 'tryton', 'redmine', 'webhook'] as const;
export type CrmKind = (typeof crmKinds)[number];

/** Without slashes at the end. */
export const withoutEndSlashes = (address: string): string => address.replace(/\/+$/, '');
const withoutSlash = httpAddress.transform(withoutEndSlashes);

/** `1105=rui,1106=marta` */
const users = list.transform((pairs, context) => {
  const split = pairs.map((pair) => pair.split('=').map((part) => part.trim()));
  const isMalformed = split.some((pair) => pair.length !== 2 || pair.includes(''));
  const extensions = split.map(([extension]) => extension);
  const repeated = extensions.find((extension, index) => extensions.indexOf(extension) < index);
  if (!isMalformed && repeated === undefined) return Object.fromEntries(split);
  const message = isMalformed
    ? 'expected extension=login, separated by commas'
    : `expected each extension once, got ${repeated} twice`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const variables = {
  kind: z.enum(crmKinds),
  /** The address that the relay uses. */
  url: httpAddress,
  /** The address of links for people. Absent: links lead to the origin of the record's template. */
  publicUrl: withoutSlash.optional(),
  ...loginVariables,
  /** The secret of a webhook: `whsec_…`. */
  secret: parsedBy(readWebhookSecret).optional(),
  users: users.default({}),
  lang: z.enum(['en', 'pt_BR', 'es']).default('en'),
  timezone: z.string().refine(isTimeZone, 'expected a time zone like America/Sao_Paulo').default('UTC'),
};

type CrmVariables = z.output<z.ZodObject<typeof variables>>;
export type CrmSystem = Omit<CrmVariables, 'tokenFile'> & { name: string };

/** What each kind needs besides its address. */
const required: Readonly<Record<CrmKind, readonly (keyof CrmVariables)[]>> = {
  rt: ['token'],
  odoo: ['database', 'user', 'token'],
  tryton: ['database', 'user', 'token'],
  redmine: ['token'],
  webhook: ['secret'],
};

export const isCrmVariable = (name: string): boolean => name.startsWith(prefix);

/**
 * @param allowsPlaintext whether the relay may ask a public host by plain http.
 * @throws SettingsError naming every variable that is wrong, not only the first.
 */
export function readCrmSystems(environment: NodeJS.ProcessEnv, allowsPlaintext = false): CrmSystem[] {
  return readNamed(environment, prefix, variables, (name) => readSystem(environment, name, allowsPlaintext));
}

function readSystem(environment: NodeJS.ProcessEnv, name: string, allowsPlaintext: boolean): CrmSystem {
  const { tokenFile, token, ...rest } = readEnvironment(
    environment,
    `${prefix}${name}_`,
    variables,
    (values, isSet, report) => {
      const needed = values.kind ? required[values.kind] : [];
      reportLogin<keyof CrmVariables>(
        needed,
        `system of kind ${values.kind}`,
        `${prefix}${name}_`,
        isSet,
        report,
      );
      if (values.kind !== 'webhook') reportQuery(values.url, report);
      // A password is sent in an encoded form, so it is not checked.
      if (values.kind === 'redmine' || (values.kind === 'rt' && !isSet('user'))) reportToken(values, report);
      if (values.url !== undefined && !allowsPlaintext && isPlaintextBeyond('private', values.url))
        report(
          'url',
          'plain http would send the token and what is logged in clear over the Internet; use https, ' +
            'or set DIALMARK_ALLOW_PLAINTEXT=1',
        );
    },
  );
  // A webhook gets requests at exactly its address, a CRM at paths below its address.
  const url = rest.kind === 'webhook' ? rest.url : withoutEndSlashes(rest.url);
  return { ...rest, url, token: tokenFile ?? token, name: name.toLowerCase() };
}
