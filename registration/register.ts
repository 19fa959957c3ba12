/** Section 4.2, steps 1 to 4: reads the record, logs in, shows the change, asks, writes. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LoginDetails, login } from '../shared/registration/login.ts';
import {
  describeChange,
  planRegistration,
  type RecordChange,
  type RecordNames,
} from '../shared/registration/record.ts';
import { RegistrationError } from '../shared/registration/registration-error.ts';
import { asTransaction, removeConsumer, updateRow } from '../shared/registration/statements.ts';
import { printable } from '../shared/service/json.ts';
import type { DatabaseRecord } from './database-record.ts';
import type { Terminal } from './terminal.ts';

export interface RegisterFlags {
  registerApiUrl: string;
  email?: string;
  /** The password is the first line of standard input. */
  passwordStdin?: boolean;
  allowPlaintext?: boolean;
  consumerDistro: number;
  consumerService: number;
  consumerName: string;
  backupFolder: string;
  dryRun?: boolean;
  /** Writes without asking. */
  yes?: boolean;
}

interface RegisterOptions extends RegisterFlags {
  record: DatabaseRecord;
  terminal: Terminal;
  fetch: typeof fetch;
}

/**
 * Asks for the password last: everything that can be refused without it is refused before.
 * @throws RegistrationError.
 */
export async function register(options: RegisterOptions): Promise<void> {
  const { record, terminal, dryRun, yes } = options;
  const found = await record.read();
  terminal.print(`Registration record: ${record.place}\nDevice: ${found.row.uuid}`);
  if (!terminal.isInteractive && (!options.passwordStdin || options.email === undefined))
    throw new RegistrationError('without a terminal, give --email and --password-stdin');
  if (!terminal.isInteractive && !yes && !dryRun)
    throw new RegistrationError('without a terminal, give --yes, or --dry-run to see what would change');
  const details = await askAndLogIn(found.row.uuid, options);
  const change = planRegistration(found, details, {
    id_distro: options.consumerDistro,
    id_service: options.consumerService,
    name_service: options.consumerName,
  });
  const differences = describeChange(change, record.names);
  if (differences.length === 0) return terminal.print('Nothing to change: the record is right.');
  record.checkFits(change);
  for (const difference of differences) terminal.print(`  ${difference}`);
  if (dryRun) return terminal.print('Nothing was written (--dry-run).');
  if (!yes && !/^(y|yes)$/i.test((await terminal.ask('Write this? [y/N] ')).trim()))
    throw new RegistrationError('nothing was written');
  const backup = await writeWithBackup(change, options);
  terminal.print(`Written and read back. To restore the old record: mysql … < ${backup}
Now clear the cookies and site data of the PBX's address in the browser. The extension's registration page can do it.`);
}

async function askAndLogIn(deviceUuid: string, options: RegisterOptions): Promise<LoginDetails> {
  const { terminal, passwordStdin } = options;
  const email = options.email ?? (await terminal.ask('E-mail: ')).trim();
  const password = passwordStdin
    ? await terminal.firstLine()
    : await terminal.askHidden('Password (not shown): ');
  const result = await login({ ...options, deviceUuid, email, password });
  if (!result.ok) throw new RegistrationError(result.error.message);
  const { account, settings } = result.details;
  const person = [account.firstName, account.lastName].filter(Boolean).join(' ');
  terminal.print(printable(`Logged in${person && ` as ${person}`}.`));
  for (const service of new Set(settings.map((setting) => setting.service?.name)))
    if (service) terminal.print(printable(`Service: ${service}`));
  return result.details;
}

/** @returns the backup's path. The backup is removed only if it is certain that nothing was written. */
async function writeWithBackup(
  change: RecordChange,
  { record, backupFolder, terminal }: RegisterOptions,
): Promise<string> {
  const backup = await writeBackup(backupFolder, change, record.names);
  try {
    await record.apply(change);
  } catch (error) {
    if (error instanceof RegistrationError && !error.mayBeWritten) await rm(backup, { force: true });
    else terminal.printError(`The old record is in ${backup}`);
    throw error;
  }
  return backup;
}

/** Saves SQL that restores the old values. Only the file's owner can read it. @returns its path. */
async function writeBackup(
  folder: string,
  { before, addedConsumer }: RecordChange,
  names: RecordNames,
): Promise<string> {
  const now = new Date().toISOString();
  const restored = [
    updateRow(names, before),
    ...(addedConsumer === undefined ? [] : [removeConsumer(names, addedConsumer)]),
  ];
  const text = `-- Restores the registration record as it was at ${now}.\n${asTransaction(restored)}`;
  const stamp = `${now.replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`;
  const file = path.join(folder, `registration-${stamp}.sql`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    throw new RegistrationError(
      `the backup could not be written to ${folder}, so nothing was changed: ${(error as Error).message}`,
    );
  }
  return file;
}
