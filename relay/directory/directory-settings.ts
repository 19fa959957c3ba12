/** `DIALMARK_DIRECTORY_<NAME>_…`: the sources of names. docs/directory.md explains each. */
import { fileURLToPath } from 'node:url';
import type { CountryCode } from 'libphonenumber-js/max';
import { z } from 'zod';
import { isPlaintextBeyond } from '../../shared/address.ts';
import { list, parsedBy, readEnvironment, SettingsError } from '../../shared/server/environment.ts';
import type { CrmSystem } from '../log/crm-settings.ts';
import { loginVariables, readNamed, reportLogin, reportQuery, reportToken } from '../named-settings.ts';
import { readCountry } from '../read-country.ts';

const prefix = 'DIALMARK_DIRECTORY_';

const sourceKinds = ['carddav', 'vcard', 'csv', 'ldap', 'odoo', 'rt', 'tryton'] as const;
type SourceKind = (typeof sourceKinds)[number];

/** The beginning of an address, by kind; files may be named by their path alone. */
const schemes: Readonly<Record<SourceKind, RegExp | undefined>> = {
  carddav: /^https?:\/\//i,
  odoo: /^https?:\/\//i,
  rt: /^https?:\/\//i,
  tryton: /^https?:\/\//i,
  ldap: /^ldaps?:\/\//i,
  vcard: undefined,
  csv: undefined,
};

const isCrmKind = /^(odoo|rt|tryton)$/;

/** What a kind needs besides its address. */
const required: Readonly<Partial<Record<SourceKind, readonly ('user' | 'token' | 'database')[]>>> = {
  odoo: ['database', 'user', 'token'],
  tryton: ['database', 'user', 'token'],
  rt: ['token'],
};

function withoutFileScheme(text: string): string {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    // `file://people.csv` names a host.
    throw new Error('expected the path of a file, like /srv/people.csv or file:///srv/people.csv');
  }
}

/** Whether an LDAP address can be decoded. Its base and filter are percent-encoded (RFC 4516). */
function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

const variables = {
  /** `crm`: the kind is that of the CRM with the same name. */
  kind: z.enum([...sourceKinds, 'crm']).pipe(z.enum(sourceKinds)),
  /** The address of an address book, a CRM or an LDAP search, or the path of a file. */
  url: parsedBy(withoutFileScheme),
  country: parsedBy(readCountry).optional(),
  /** The area code of local numbers, without a trunk zero. */
  areaCode: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'expected digits without a leading zero, for example 48')
    .optional(),
  ...loginVariables,
  /** Teams that may see this source. Absent: every key may. */
  teams: list.optional(),
};

type SourceVariables = z.output<z.ZodObject<typeof variables>>;
export type SourceSettings = Omit<SourceVariables, 'tokenFile' | 'country'> & {
  name: string;
  country: CountryCode;
};

export const isDirectoryVariable = (name: string): boolean => name.startsWith(prefix);

interface Defaults {
  country: CountryCode | undefined;
  /** The relay's setting of a country is not a country. */
  isCountryWrong?: boolean;
  allowPlaintext: boolean;
  /** The CRMs that calls are logged in. */
  crms: readonly CrmSystem[];
}

/**
 * Reads the sources in the order of their names. If two sources have different names for a number, the first source's
 * name comes first.
 * @throws SettingsError naming every variable that is wrong.
 */
export function readSources(environment: NodeJS.ProcessEnv, defaults: Defaults): SourceSettings[] {
  const named = readNamed(environment, prefix, variables, (name) => readSource(environment, name, defaults));
  return named.sort((one, other) => (one.name.toUpperCase() < other.name.toUpperCase() ? -1 : 1));
}

/** Completes a source of kind `crm` by the settings of the CRM with the same name. */
function withCrm(
  environment: NodeJS.ProcessEnv,
  name: string,
  crms: readonly CrmSystem[],
): NodeJS.ProcessEnv {
  const variable = (suffix: string) => `${prefix}${name}_${suffix}`;
  if (environment[variable('KIND')]?.trim() !== 'crm') return environment;
  const crm = crms.find((each) => each.name === name.toLowerCase() && isCrmKind.test(each.kind));
  // The CRM of this name has a wrong setting, which is reported already.
  if (!crm && isCrmKind.test(environment[`DIALMARK_CRM_${name}_KIND`]?.trim() ?? ''))
    throw new SettingsError([]);
  if (!crm)
    throw new SettingsError([
      `${variable('KIND')}: expected a CRM of kind odoo, rt or tryton in DIALMARK_CRM_${name}_KIND`,
    ]);
  const { kind, url, user, database } = crm;
  const token = environment[variable('TOKEN_FILE')] ? undefined : crm.token;
  const known = Object.entries({ URL: url, USER: user, TOKEN: token, DATABASE: database });
  const absent = known.filter(([suffix]) => !environment[variable(suffix)]?.trim());
  return {
    ...environment,
    [variable('KIND')]: kind,
    ...Object.fromEntries(absent.map(([suffix, value]) => [variable(suffix), value])),
  };
}

function readSource(all: NodeJS.ProcessEnv, name: string, defaults: Defaults): SourceSettings {
  const { allowPlaintext } = defaults;
  const environment = withCrm(all, name, defaults.crms);
  const {
    tokenFile,
    token,
    country = defaults.country,
    ...rest
  } = readEnvironment(environment, `${prefix}${name}_`, variables, (values, isSet, report) => {
    const hasDefault = defaults.country !== undefined || defaults.isCountryWrong;
    if (values.country === undefined && !isSet('country') && !hasDefault)
      report('country', 'expected the country of numbers without one, here or in DIALMARK_COUNTRY');
    const { kind, url } = values;
    const needed = (kind && required[kind]) || [];
    reportLogin<keyof SourceVariables>(needed, `source of kind ${kind}`, `${prefix}${name}_`, isSet, report);
    // Some servers treat a login without a password as anonymous (RFC 4513, 5.1.2). Then they show nothing.
    if (
      kind === 'ldap' &&
      isSet('user') &&
      !isSet('token') &&
      !(isSet('tokenFile') && values.tokenFile !== '')
    )
      report('token', `expected the password of ${prefix}${name}_USER`);
    // A password is sent in Base64, so it may have any characters. A token may not.
    if (kind === 'rt' && !isSet('user')) reportToken(values, report);
    if (kind === undefined || url === undefined) return;
    if (schemes[kind] && kind !== 'ldap') reportQuery(url, report);
    if (kind === 'ldap' && !isDecodable(url))
      report('url', 'expected %25 for a % itself; every other % begins a byte of UTF-8, like %C3%A3');
    if (schemes[kind] && !(schemes[kind].test(url) && URL.canParse(url)))
      report('url', kind === 'ldap' ? 'expected ldap:// or ldaps://' : 'expected http:// or https://');
    else if (
      schemes[kind] &&
      !allowPlaintext &&
      isPlaintextBeyond('private', url.replace(/^ldap:/i, 'http:'))
    )
      report(
        'url',
        'this would send the password in clear over the Internet; use TLS, or DIALMARK_ALLOW_PLAINTEXT=1',
      );
  });
  return {
    ...rest,
    name: name.toLowerCase(),
    token: tokenFile ?? token,
    country: country!,
  };
}
