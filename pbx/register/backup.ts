/** What was there before a change, in a file only its owner can read; and the way back from it. */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod/mini';
import { RegisterError } from './outcome.ts';
import {
  type RecordChange,
  type RegisterRow,
  type RegistrationRecord,
  sameConsumer,
  sameRow,
} from './record.ts';

const format = 'dialmark-registration-backup';

const Row = z.strictObject({
  uuid: z.string(),
  clientKey: z.nullable(z.string()),
  apiKey: z.nullable(z.string()),
  registered: z.union([z.string(), z.number(), z.boolean(), z.null()]),
});

const Backup = z.strictObject({
  format: z.literal(format),
  version: z.literal(1),
  /** ISO 8601 UTC. */
  madeAt: z.string(),
  place: z.string(),
  before: Row,
  /** Of the row that was written then: proof that nobody wrote since, without keeping the new keys twice. */
  afterSha256: z.string(),
  consumer: z.optional(
    z.strictObject({
      action: z.enum(['add', 'remove']),
      record: z.strictObject({ idDistro: z.int(), idService: z.int(), nameService: z.string() }),
    }),
  ),
});
export type Backup = z.infer<typeof Backup>;

/**
 * Writes and syncs the backup before the change is made. Never over another file.
 * @returns the file's path. @throws RegisterError writeFailed.
 */
export async function writeBackup(
  folder: string,
  change: RecordChange,
  place: string,
  now: Date,
): Promise<string> {
  const backup: Backup = {
    format,
    version: 1,
    madeAt: now.toISOString(),
    place,
    before: change.before,
    afterSha256: hashOf(change.after),
    ...(change.consumer === undefined ? {} : { consumer: change.consumer }),
  };
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('.', '');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let attempt = 0; ; attempt++) {
      const file = path.join(folder, `registration-${stamp}${attempt === 0 ? '' : `-${attempt}`}.json`);
      const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST' && attempt < 100) return undefined;
        throw error;
      });
      if (handle === undefined) continue;
      try {
        await handle.writeFile(`${JSON.stringify(backup, null, 2)}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return file;
    }
  } catch (error) {
    throw new RegisterError(
      'writeFailed',
      `the backup could not be written to ${folder}, so nothing was changed: ${(error as Error).message}`,
    );
  }
}

/** For a change that provably did not happen. */
export async function dropBackup(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** @throws RegisterError badBackup. */
export async function readBackup(file: string): Promise<Backup> {
  try {
    return Backup.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason =
      error instanceof z.core.$ZodError ? 'it is not a backup of this tool' : (error as Error).message;
    throw new RegisterError('badBackup', `${file}: ${reason}`);
  }
}

/**
 * The change that undoes a backup's one. Undone already: nothing to change.
 * @throws RegisterError otherDevice, changedMeanwhile: another run or the PBX wrote since; undoing would lose that.
 */
export function planUndo(backup: Backup, record: RegistrationRecord): RecordChange {
  const { row, consumers } = record;
  if (row.uuid !== backup.before.uuid)
    throw new RegisterError(
      'otherDevice',
      `the backup is of the device ${backup.before.uuid}, and this record is of ${row.uuid}`,
    );
  const undone = sameRow(row, backup.before);
  if (!undone && hashOf(row) !== backup.afterSha256)
    throw new RegisterError(
      'changedMeanwhile',
      'the record was changed after this backup was made; undo the later change first',
    );
  const { consumer } = backup;
  if (consumer === undefined) return { before: row, after: backup.before };
  const present = consumers.some((other) => sameConsumer(other, consumer.record));
  const action = consumer.action === 'add' ? 'remove' : 'add';
  // Row and consumer change together, so a row that is back shows that the consumer is too: one found then is another's.
  const onlyConsumer = hashOf(backup.before) === backup.afterSha256;
  const toUndo = present === (action === 'remove') && (!undone || onlyConsumer);
  return {
    before: row,
    after: backup.before,
    ...(toUndo ? { consumer: { action, record: consumer.record } } : {}),
  };
}

function hashOf(row: RegisterRow): string {
  const { uuid, clientKey, apiKey, registered } = row;
  const flag =
    registered === null ? null : String(typeof registered === 'boolean' ? Number(registered) : registered);
  return createHash('sha256')
    .update(JSON.stringify([uuid, clientKey, apiKey, flag]))
    .digest('hex');
}
