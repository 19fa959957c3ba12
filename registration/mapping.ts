/** Tables and columns of a PBX's registration record. The service names none; the default is one open-source PBX's. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { RegisterError } from './outcome.ts';

/** Names go into statements between backquotes, where SQL takes no parameter, so only plain ones are accepted. */
const Name = z.string().regex(/^[A-Za-z0-9_$]{1,64}$/, 'expected letters, digits, _ or $, at most 64');

const Mapping = z.strictObject({
  /** The table whose one row is this device's record. */
  register: z
    .strictObject({
      table: Name.default('itc_register'),
      uuid: Name.default('uuid'),
      clientKey: Name.default('client_key'),
      apiKey: Name.default('api_key'),
      registered: Name.default('registered_itc'),
    })
    .prefault({}),
  /** The table that a consumer record is added to. */
  consumers: z
    .strictObject({
      table: Name.default('itc_consumers'),
      idDistro: Name.default('id_distro'),
      idService: Name.default('id_service'),
      nameService: Name.default('name_service'),
    })
    .prefault({}),
});
export type Mapping = z.infer<typeof Mapping>;

export const defaultMapping: Mapping = Mapping.parse({});

/** Reads a JSON file with any part of a mapping. @throws RegisterError badMapping, naming the member that is wrong. */
export async function readMapping(file: string): Promise<Mapping> {
  try {
    return Mapping.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new RegisterError('badMapping', `--mapping ${file}: ${reason}`);
  }
}
