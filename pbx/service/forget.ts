/** Deletes calls: the calls of a number by the command `forget`, and old calls with their recordings every hour. */
import { rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { read } from '../../shared/numbers/reading/reading.ts';
import { parseNumberText } from '../../shared/numbers/text/number-text.ts';
import { mobileForm, readCallee } from '../../shared/rules/callee.ts';
import { ClockGuard } from '../../shared/server/clock-guard.ts';
import {
  callCount,
  isSameNumber,
  LongerNumbers,
  mayForget,
  readNumber,
} from '../../shared/server/forget-number.ts';
import { codeOrMessage, pathInFolder, recordingPath } from './recordings/recording-address.ts';
import type { PbxSettings } from './settings.ts';
import type { PbxStore } from './store/pbx-store.ts';
import type { StoredCall } from './store/schema.ts';

/** How many old calls are deleted at once, in some milliseconds. The service can reply in between. */
const forgottenAtOnce = 500;
/** How many last digits all ways to dial a number have in common. */
const sharedEnd = 7;

/**
 * @param typed the text of a number that `readNumber` takes.
 * @param isConfirmed whether `--yes` was given.
 */
export async function forgetCallsOfNumber(
  store: PbxStore,
  settings: PbxSettings,
  typed: string,
  isConfirmed: boolean,
): Promise<void> {
  const digits = readNumber(typed);
  const reaches = reachedFromItsCountry(typed, digits);
  const found: StoredCall[] = [];
  const longer = new LongerNumbers([digits]);
  for (const call of store.finishedCalls()) {
    const numbers = numbersOfCall(call).filter((number) => isSameNumber(number, digits) || reaches(number));
    if (numbers.length === 0) continue;
    found.push(call);
    longer.add(numbers.filter((number) => !reaches(number)));
  }
  if (!(await mayForget(found.length, longer.joined, isConfirmed))) return;
  const remaining: string[] = [];
  for (const { recordingFile, earlierRecordings = [] } of found.map(({ progress }) => progress))
    for (const file of [...earlierRecordings, ...(recordingFile ? [recordingFile] : [])]) {
      const problem = await deleteRecording(settings, file);
      if (problem !== undefined) remaining.push(`${file} (${problem})`);
    }
  if (remaining.length > 0) {
    // This is printed before anything is deleted, because only the calls hold these names.
    process.stderr.write(`These recordings could not be deleted:\n${remaining.join('\n')}\n`);
    process.exitCode = 1;
  }
  store.deleteCalls(found.map(({ callid }) => callid));
  process.stdout.write(`${callCount(found.length)} forgotten\n`);
}

/** Makes a check of whether digits reach a number from its country, also behind a carrier's code. */
function reachedFromItsCountry(typed: string, digits: string): (dialled: string) => boolean {
  const country = parseNumberText(typed.trim()).plus ? read(digits)?.country : undefined;
  if (country === undefined) return () => false;
  const key = `+${mobileForm(digits)}`;
  const settings = { country, extensions: [], outsidePrefixes: [] };
  // Most calls are of other numbers, and need no reading.
  const end = digits.slice(-sharedEnd);
  return (dialled) => dialled.endsWith(end) && readCallee(dialled, settings).numbers.includes(key);
}

function numbersOfCall({ request, progress }: StoredCall): string[] {
  const ofChannels = Object.values(progress.channels).flatMap((channel) => [
    channel.exten,
    channel.calleridnum,
    channel.connectedlinenum,
  ]);
  const digits = [request.from, request.to, request.callerid ?? '', ...ofChannels].map((number) =>
    number.replace(/\D/g, ''),
  );
  return [...new Set(digits)];
}

/** @returns why the recording remains; undefined once it is deleted. */
async function deleteRecording({ recordingsFolder }: PbxSettings, file: string): Promise<string | undefined> {
  if (recordingsFolder === undefined) return 'DIALMARK_PBX_RECORDINGS_FOLDER is not set';
  try {
    const real = await recordingPath(recordingsFolder, pathInFolder(recordingsFolder, file));
    if (real !== undefined) await rm(real, { force: true });
    return undefined;
  } catch (error) {
    return codeOrMessage(error);
  }
}

/** Deletes old recordings and calls, now and every hour. @returns a function that ends this. */
export function startForgetting(store: PbxStore, settings: PbxSettings, log: Logger): () => void {
  const clock = new ClockGuard({ log });
  const forgetOld = async () => {
    if (!clock.mayDelete()) return;
    // Recordings first: only a call's row says which is its recording.
    await deleteOldRecordings(store, settings, log);
    await deleteOldCalls(store, settings, log);
  };
  void forgetOld();
  const timer = setInterval(forgetOld, hourMs).unref();
  return () => clearInterval(timer);
}

async function deleteOldRecordings(store: PbxStore, settings: PbxSettings, log: Logger): Promise<void> {
  const { recordingRetentionDays } = settings;
  if (recordingRetentionDays === undefined) return;
  const problems: string[] = [];
  try {
    const before = Date.now() - recordingRetentionDays * dayMs;
    const recordings = store.recordingsBefore(before);
    const kept = new Set<string>();
    for (const [at, { callid, file }] of recordings.entries()) {
      const problem = await deleteRecording(settings, file);
      if (problem !== undefined) {
        problems.push(problem);
        kept.add(callid);
      }
      const isLast = recordings[at + 1]?.callid !== callid;
      if (isLast && !kept.has(callid)) store.forgetRecordings(callid);
    }
  } catch (error) {
    log.error(
      { error: codeOrMessage(error) },
      'old recordings could not be looked up; tried again in an hour',
    );
  }
  if (problems.length === 0) return;
  log.error(
    { count: problems.length, errors: [...new Set(problems)] },
    'old recordings could not be deleted; tried again in an hour. ' +
      'This user needs the right to write in their folder',
  );
}

async function deleteOldCalls(store: PbxStore, settings: PbxSettings, log: Logger): Promise<void> {
  const keepsRecorded = settings.recordingRetentionDays !== undefined;
  try {
    const before = Date.now() - settings.retentionDays * dayMs;
    while (store.forgetBefore(before, forgottenAtOnce, { keepsRecorded }) === forgottenAtOnce)
      await setImmediate();
  } catch (error) {
    log.error({ error: (error as Error).message }, 'old calls could not be deleted; tried again in an hour');
  }
}
