/** Tables and columns of a PBX's registration record. The service names none; the default is one open-source PBX's. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod/mini';
import { RegisterError } from './outcome.ts';

/** Names go into statements between backquotes, where SQL takes no parameter, so only plain ones are accepted. */
const Name = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_$]{1,64}$/, 'expected letters, digits, _ or $, at most 64'));
const name = (value: string) => z._default(Name, value);

const Mapping = z.strictObject({
  /** The table whose one row is this device's record. */
  register: z.prefault(
    z.strictObject({
      table: name('itc_register'),
      uuid: name('uuid'),
      clientKey: name('client_key'),
      apiKey: name('api_key'),
      registered: name('registered_itc'),
    }),
    {},
  ),
  /** The table that a consumer record is added to. */
  consumers: z.prefault(
    z.strictObject({
      table: name('itc_consumers'),
      idDistro: name('id_distro'),
      idService: name('id_service'),
      nameService: name('name_service'),
    }),
    {},
  ),
});
export type Mapping = z.infer<typeof Mapping>;

export const defaultMapping: Mapping = Mapping.parse({});

/**
 * A mapping file is JSON with any part of `{register: {table, uuid, clientKey, apiKey, registered}, consumers: {table,
 * idDistro, idService, nameService}}`; what it leaves out keeps its default.
 * @throws RegisterError badMapping, naming the member that is wrong.
 */
export async function readMapping(file: string): Promise<Mapping> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new RegisterError('badMapping', `--mapping ${file}: ${(error as Error).message}`);
  }
  const mapping = Mapping.safeParse(json);
  if (mapping.success) return mapping.data;
  const issue = mapping.error.issues[0]!;
  const unknown = issue.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : '';
  throw new RegisterError(
    'badMapping',
    `--mapping ${file}: ${[...issue.path, ''].join('.').replace(/\.$/, '') || 'the file'}: ${issue.message}${unknown}`,
  );
}
