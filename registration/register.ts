/** Interface section 4.2, steps 1 to 4: read the record, log in, show the change, ask, write. */
import { rm } from 'node:fs/promises';
import { login } from '../shared/service/registration.ts';
import { writeBackup } from './backup.ts';
import type { DatabaseRecord } from './database-record.ts';
import { RegisterError } from './outcome.ts';
import { planRegistration, type RecordChange, type ShownChange, showChange } from './record.ts';
import type { Terminal } from './terminal.ts';

export interface RegisterFlags {
  email?: string;
  /** The password is the first line of standard input. */
  passwordStdin?: boolean;
  allowPlaintext?: boolean;
  consumerDistro: number;
  consumerService: number;
  consumerName: string;
  backupFolder: string;
  dryRun?: boolean;
  /** Answers the question before writing. */
  yes?: boolean;
}

interface RegisterOptions extends RegisterFlags {
  registerApiUrl: string;
  record: DatabaseRecord;
  terminal: Terminal;
  fetch: typeof fetch;
  now: () => Date;
}

/** What `--json` prints. Keys are masked. */
export interface RegisterResult {
  status: 'written' | 'nothingToChange' | 'wouldChange';
  place: string;
  device: string;
  /** Names of the account's services, as the login reply lists them. */
  services: string[];
  changes: ShownChange[];
  backup?: string;
}

/** Refuses whatever can be refused without the password before asking for it. @throws RegisterError. */
export async function register(options: RegisterOptions): Promise<RegisterResult> {
  const { record, terminal, dryRun, yes } = options;
  const found = await record.read();
  terminal.err(`Registration record: ${record.place}\nDevice: ${found.row.uuid}`);
  if (!terminal.interactive && (!options.passwordStdin || options.email === undefined))
    throw new RegisterError('badOption', 'without a terminal, give --email and --password-stdin');
  if (!terminal.interactive && !yes && !dryRun)
    throw new RegisterError(
      'badOption',
      'without a terminal, give --yes, or --dry-run to see what would change',
    );
  const email = options.email ?? (await terminal.ask('E-mail: ')).trim();
  const password = options.passwordStdin
    ? await terminal.firstLine()
    : await terminal.askHidden('Password (not shown): ');
  const loggedIn = await login({
    registerApiUrl: options.registerApiUrl,
    deviceUuid: found.row.uuid,
    email,
    password,
    allowPlaintext: options.allowPlaintext === true,
    fetch: options.fetch,
  });
  if (!loggedIn.ok) throw new RegisterError(loggedIn.error.code, loggedIn.error.message);
  const { account, settings } = loggedIn.registration;
  const name = printable([account.firstName, account.lastName].filter(Boolean).join(' '));
  terminal.err(`Logged in${name === '' ? '' : ` as ${name}`}.`);
  const services = [...new Set(settings.map(({ service }) => printable(service?.name ?? '')))].filter(
    Boolean,
  );
  for (const service of services) terminal.err(`Service: ${service}`);

  const consumer = {
    idDistro: options.consumerDistro,
    idService: options.consumerService,
    nameService: options.consumerName,
  };
  const change = planRegistration(found, loggedIn.registration, consumer);
  const names = { ...record.mapping.register, consumers: record.mapping.consumers.table };
  const changes = showChange(change, names);
  const result = { place: record.place, device: found.row.uuid, services, changes };
  if (changes.length === 0) return { ...result, status: 'nothingToChange' };
  record.checkFits(change);
  for (const { what, from, to } of changes) terminal.err(`  ${what}: ${from} -> ${to}`);
  if (dryRun) return { ...result, status: 'wouldChange' };
  if (!yes && !/^(y|yes)$/i.test((await terminal.ask('Write this? [y/N] ')).trim()))
    throw new RegisterError('declined', 'nothing was written');
  return { ...result, status: 'written', backup: await applyWithBackup(change, options) };
}

/** @returns the backup's path; the file is kept wherever something may have been written. */
async function applyWithBackup(
  change: RecordChange,
  { record, backupFolder, now }: RegisterOptions,
): Promise<string> {
  const backup = await writeBackup(backupFolder, change, record.mapping, now());
  try {
    await record.apply(change);
  } catch (error) {
    if (!(error instanceof RegisterError)) throw error;
    if (error.code === 'writeFailed' || error.code === 'changedMeanwhile') await rm(backup, { force: true });
    else error.backup = backup;
    throw error;
  }
  return backup;
}

const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
