/** Settings from environment variables: one zod schema per variable, the type inferred. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { hostInUrl, withoutTrailingSlash } from '../address.ts';

/** What is wrong: one sentence for each variable, with its name. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export const usageErrorCode = 2;

/** @returns undefined where a setting is wrong: every problem is then on stderr, and the exit code is 2. */
export function settingsOrExit<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
    process.exitCode = usageErrorCode;
    return undefined;
  }
}

/** @returns undefined where a setting is wrong: its problems are then added to `problems`. */
export function readOrReport<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** `maxStreams` -> `PREFIX_MAX_STREAMS`. */
export function variableName(prefix: string, property: string): string {
  return prefix + property.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/**
 * Judges variables together, after each was parsed alone. A variable that is wrong has the value undefined
 * and is set.
 */
export type CheckTogether<V extends z.ZodRawShape> = (
  values: z.output<z.ZodObject<V>>,
  isSet: (property: keyof V & string) => boolean,
  report: (property: keyof V & string, problem: string) => void,
) => void;

/**
 * Reads the variables that `schemas` names in camel case. A blank variable counts as absent.
 * @throws SettingsError naming every variable that is wrong, not only the first.
 */
export function readEnvironment<V extends z.ZodRawShape>(
  environment: NodeJS.ProcessEnv,
  prefix: string,
  schemas: V,
  checkTogether: CheckTogether<V>,
): z.output<z.ZodObject<V>> {
  const problems: string[] = [];
  const given = (property: string) => environment[variableName(prefix, property)]?.trim() || undefined;
  const report = (property: string, problem: string) => {
    problems.push(`${variableName(prefix, property)}: ${problem}`);
  };
  const values = Object.fromEntries(
    Object.entries(schemas).map(([property, schema]) => {
      const parsed = z.safeParse(schema, given(property), { error: expectedValue });
      if (!parsed.success)
        report(property, quotingValue(parsed.error.issues[0]!.message, property, given(property)));
      return [property, parsed.data];
    }),
  ) as z.output<z.ZodObject<V>>;
  checkTogether(values, (property) => given(property) !== undefined, report);
  if (problems.length === 0) return values;
  // An unknown variable is often the missing variable with a typing error.
  throw new SettingsError([...problems, ...unknownVariables(environment, prefix, schemas)]);
}

const expectedValue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value') return `expected ${issue.values.join(' or ')}`;
  return issue.input === undefined ? 'expected to be set' : undefined;
};

/**
 * Adds to the problem which value was set. A secret or an address is never shown: an address may hold a password or a
 * token.
 */
function quotingValue(problem: string, property: string, value: string | undefined): string {
  const isSecret = /(token|secret|url|store)(file)?$/i.test(property) || value?.includes('@');
  const isComplete = !problem.startsWith('expected') || /\bgot\b/.test(problem);
  return isSecret || isComplete ? problem : `${problem}, got "${value}"`;
}

/**
 * A sentence for each variable that starts with `prefix`, in capitals or not, and has no schema: most likely a typing
 * error.
 */
export function unknownVariables(
  environment: NodeJS.ProcessEnv,
  prefix: string,
  schemas: z.ZodRawShape,
): string[] {
  const known = new Set(Object.keys(schemas).map((property) => variableName(prefix, property)));
  return Object.keys(environment)
    .filter((name) => name.toUpperCase().startsWith(prefix) && !known.has(name))
    .map((name) => `${name}: no such setting; it is ignored`);
}

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'expected a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected ${min} to ${max}`);

export const yesOrNo = z
  .enum(['1', '0', 'true', 'false', 'yes', 'no'], 'expected 1 or 0')
  .transform((value) => ['1', 'true', 'yes'].includes(value));

/** A comma-separated list. */
export const list = z.string().transform((value) => value.split(',').map((part) => part.trim()));

/**
 * The address is passed on as it is written. Node also reads `https:/host`, but other programs do not, so `//` must be
 * there.
 */
export const httpAddress = z
  .string()
  .regex(/^https?:\/\/[^/\\]/i, 'expected an address that starts with http:// or https://')
  .refine(
    (value) => URL.canParse(value),
    'expected an address like https://host.example:8443; a blank or its port is wrong',
  );

/** Where others reach a server. No trailing slash. */
export const publicAddress = httpAddress
  .refine((value) => {
    if (!URL.canParse(value)) return true;
    const { username, password, search, hash } = new URL(value);
    return username + password + search + hash === '';
  }, 'expected an address without a user name, a query or a fragment: paths are added to it')
  .transform(withoutTrailingSlash);

/** `HOST:PORT`, an IPv6 address in brackets. @param fallback where it is not set, also the example in its problems. */
export const hostAndPort = (fallback: string) =>
  z
    .string()
    .regex(/^(\[[0-9a-f:]+\]|[^:\s]+):\d{1,5}$/i, `expected HOST:PORT, for example ${fallback}`)
    .transform((value) => {
      const colon = value.lastIndexOf(':');
      return { host: value.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(value.slice(colon + 1)) };
    })
    .refine(({ port }) => port <= 65535, 'expected a port up to 65535')
    .refine(
      ({ host }) => URL.canParse(`http://${hostInUrl(host)}`),
      'expected HOST:PORT; HOST is neither a name nor an IP address',
    )
    .prefault(fallback);

/** Turns a parser that throws an Error into a schema with its message. */
export const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'what its path names as a folder is a file',
  EACCES: 'this user may not read it',
  EISDIR: 'this is a folder',
};

/** Why a file cannot be read, in a sentence that names it. @param code of the error of Node. */
export const unreadableFile = (path: string, code = 'unknown'): string =>
  `${path} cannot be read: ${fileProblems[code] ?? code}`;

/** Text of a file, without white space around it. @throws Error that names the file and why it cannot be read. */
export const readTextFile = (path: string): string => readWholeText(path).trim();

/** @throws Error that names the file and why it cannot be read. */
export function readWholeText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(unreadableFile(resolve(path), (error as NodeJS.ErrnoException).code));
  }
}
