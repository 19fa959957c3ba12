/** Settings of several CRMs, or of several sources of names. Each has a name: `DIALMARK_CRM_<NAME>_URL`. */
import { z } from 'zod';
import {
  parsedBy,
  readOrReport,
  readTextFile,
  SettingsError,
  variableName,
} from '../shared/server/environment.ts';

/** The login at a CRM or a source of names. */
export const loginVariables = {
  user: z.string().optional(),
  token: z.string().optional(),
  tokenFile: parsedBy(readTextFile).optional(),
  database: z.string().optional(),
};

/**
 * A blank variable counts as absent.
 * @param variables the settings of one name, as `readEnvironment` takes them.
 * @param read reads the settings of one name.
 * @throws SettingsError naming every variable that is wrong, not only the first.
 */
export function readNamed<T>(
  environment: NodeJS.ProcessEnv,
  prefix: string,
  variables: z.ZodRawShape,
  read: (name: string) => T,
): T[] {
  const suffixes = Object.keys(variables).map((property) => variableName('', property));
  const variable = new RegExp(`^${prefix}([A-Z][A-Z0-9_]*?)_(${suffixes.join('|')})$`);
  const problems: string[] = [];
  const names = new Set<string>();
  for (const key of Object.keys(environment)) {
    if (!key.startsWith(prefix) || !environment[key]?.trim()) continue;
    const name = variable.exec(key)?.[1];
    if (name) names.add(name);
    else problems.push(`${key}: expected ${prefix}NAME_ and one of ${suffixes.join(', ')}`);
  }
  const found = [...names].flatMap((name) => readOrReport(problems, () => [read(name)]) ?? []);
  if (problems.length > 0) throw new SettingsError(problems);
  return found;
}

/** Reports what a kind needs and lacks, and a token that is set twice. @param prefix of the variables. */
export function reportLogin<Property extends string>(
  needed: readonly Property[],
  kind: string,
  prefix: string,
  isSet: (property: Property | 'token' | 'tokenFile') => boolean,
  report: (property: Property | 'token', problem: string) => void,
): void {
  if (isSet('token') && isSet('tokenFile'))
    report('token', `expected either this or ${prefix}TOKEN_FILE, not both`);
  for (const property of needed)
    if (!isSet(property) && !(property === 'token' && isSet('tokenFile')))
      report(property, `expected to be set for a ${kind}`);
}

/** Reports a base address with a query or a fragment: the path of a request cannot be added to it. */
export function reportQuery(
  address: string | undefined,
  report: (property: 'url', problem: string) => void,
): void {
  if (address && /[?#]/.test(address))
    report('url', 'expected an address without a query or a fragment: paths are added to it');
}

/** Reports a token that a header cannot carry, such as one with a second line in its file. */
export function reportToken(
  tokens: Readonly<Partial<Record<'token' | 'tokenFile', string | undefined>>>,
  report: (property: 'token' | 'tokenFile', problem: string) => void,
): void {
  for (const property of ['token', 'tokenFile'] as const) {
    const token = tokens[property];
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
      report(property, 'expected visible ASCII characters without blanks');
  }
}
