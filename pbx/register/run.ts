/** The two things the command does: register, and undo from a backup. Both end in one change, shown, confirmed, applied. */
import { login } from '../../shared/service/registration.ts';
import { dropBackup, planUndo, readBackup, writeBackup } from './backup.ts';
import { RegisterError } from './outcome.ts';
import { planRegistration, type ShownChange, showChange } from './plan.ts';
import { type Consumer, changesNothing, type RecordChange, type RecordStore } from './record.ts';
import type { Terminal } from './terminal.ts';

export interface RunOptions {
  store: RecordStore;
  terminal: Terminal;
  backupFolder: string;
  dryRun: boolean;
  /** Answers the question before writing. */
  yes: boolean;
  now: () => Date;
}

export interface RegisterOptions extends RunOptions {
  registerApiUrl: string;
  email?: string;
  /** The password is the first line of standard input. */
  passwordStdin: boolean;
  allowPlaintext: boolean;
  consumer: Consumer;
  fetch: typeof fetch;
}

/** What `--json` prints. Keys are masked. */
export interface RunResult {
  status: 'written' | 'nothingToChange' | 'wouldChange';
  place: string;
  device: string;
  changes: ShownChange[];
  backup?: string;
}

/** Interface section 4.2, steps 1 to 4. Everything that can be refused without the password is refused before asking for it. */
export async function register(options: RegisterOptions): Promise<RunResult> {
  const { store, terminal } = options;
  const record = await store.read();
  terminal.err(`Registration record: ${store.place}\nDevice: ${record.row.uuid}`);
  if (!terminal.interactive && (!options.passwordStdin || options.email === undefined))
    throw new RegisterError('badOption', 'without a terminal, give --email and --password-stdin');
  if (!terminal.interactive && !options.yes && !options.dryRun)
    throw new RegisterError(
      'badOption',
      'without a terminal, give --yes, or --dry-run to see what would change',
    );
  const email = options.email ?? (await terminal.ask('E-mail: ')).trim();
  const password = options.passwordStdin
    ? await terminal.firstLine()
    : await terminal.askHidden('Password (not shown): ');
  const result = await login({
    registerApiUrl: options.registerApiUrl,
    deviceUuid: record.row.uuid,
    email,
    password,
    allowPlaintext: options.allowPlaintext,
    fetch: options.fetch,
  });
  if (!result.ok) throw new RegisterError(result.error.code, result.error.message);
  const { firstName, lastName } = result.registration.account;
  const who = [firstName, lastName].filter((name) => name !== undefined && name !== '').join(' ');
  terminal.err(`Logged in${who === '' ? '' : ` as ${who.replace(/[\p{Cc}\p{Cf}]/gu, ' ')}`}.`);
  return carryOut(planRegistration(record, result.registration, options.consumer), options);
}

export async function undo(file: string, options: RunOptions): Promise<RunResult> {
  const backup = await readBackup(file);
  const record = await options.store.read();
  options.terminal.err(`Registration record: ${options.store.place}\nBackup of ${backup.madeAt}`);
  if (!options.terminal.interactive && !options.yes && !options.dryRun)
    throw new RegisterError(
      'badOption',
      'without a terminal, give --yes, or --dry-run to see what would change',
    );
  return carryOut(planUndo(backup, record), options);
}

async function carryOut(change: RecordChange, options: RunOptions): Promise<RunResult> {
  const { store, terminal } = options;
  const changes = showChange(change, store.names);
  const result = { place: store.place, device: change.before.uuid, changes };
  if (changesNothing(change)) return { ...result, status: 'nothingToChange' };
  await store.checkFits(change);
  for (const { what, from, to } of changes) terminal.err(`  ${what}: ${from} -> ${to}`);
  if (options.dryRun) return { ...result, status: 'wouldChange' };
  if (!options.yes && !/^(y|yes)$/i.test((await terminal.ask('Write this? [y/N] ')).trim()))
    throw new RegisterError('saidNo', 'nothing was written');

  const backup = await writeBackup(options.backupFolder, change, store.place, options.now());
  try {
    await store.apply(change);
  } catch (error) {
    // Kept wherever something may have been written.
    const nothingWritten =
      error instanceof RegisterError && (error.code === 'writeFailed' || error.code === 'changedMeanwhile');
    if (nothingWritten) await dropBackup(backup);
    else {
      terminal.err(`What was there before is in ${backup}`);
      if (error instanceof RegisterError) error.backup = backup;
    }
    throw error;
  }
  return { ...result, status: 'written', backup };
}
