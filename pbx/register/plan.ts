/** From the record and a login's keys to the one change that registers the device (section 4.2, step 4). */
import type { Registration } from '../../shared/service/registration.ts';
import { masked } from './masked.ts';
import { RegisterError } from './outcome.ts';
import {
  type Consumer,
  isRegistered,
  type RecordChange,
  type RecordStore,
  type RegistrationRecord,
  sameCell,
  sameConsumer,
} from './record.ts';

/** @throws RegisterError otherConsumer where these ids stand there under another name. */
export function planRegistration(
  record: RegistrationRecord,
  keys: Pick<Registration, 'clientKey' | 'apiKey'>,
  consumer: Consumer,
): RecordChange {
  const { row, consumers } = record;
  const sameIds = consumers.filter(
    (other) => other.idDistro === consumer.idDistro && other.idService === consumer.idService,
  );
  const present = sameIds.some((other) => sameConsumer(other, consumer));
  if (!present && sameIds.length > 0)
    throw new RegisterError(
      'otherConsumer',
      `there is a consumer record ${consumer.idDistro}, ${consumer.idService} already, named "${sameIds[0]!.nameService}". ` +
        `Keep it with --consumer-name "${sameIds[0]!.nameService}", or choose other ids.`,
    );
  return {
    before: row,
    after: {
      uuid: row.uuid,
      clientKey: keys.clientKey,
      apiKey: keys.apiKey,
      registered: isRegistered(row.registered) ? row.registered : 1,
    },
    ...(present ? {} : { consumer: { action: 'add' as const, record: consumer } }),
  };
}

/** One line of what will change, keys masked. */
export interface ShownChange {
  what: string;
  from: string;
  to: string;
}

/** What a change means, in the record's own names. Empty where there is nothing to change. */
export function showChange(change: RecordChange, names: RecordStore['names']): ShownChange[] {
  const { before, after, consumer } = change;
  const shown: ShownChange[] = [];
  for (const field of ['clientKey', 'apiKey'] as const)
    if (before[field] !== after[field])
      shown.push({ what: names[field], from: masked(before[field]), to: masked(after[field]) });
  if (!sameCell(before.registered, after.registered))
    shown.push({
      what: names.registered,
      from: String(before.registered ?? '(empty)'),
      to: String(after.registered ?? '(empty)'),
    });
  if (consumer !== undefined) {
    const { idDistro, idService, nameService } = consumer.record;
    const record = `${idDistro}, ${idService}, "${nameService}"`;
    shown.push({
      what: names.consumers,
      from: consumer.action === 'add' ? '(no such record)' : record,
      to: consumer.action === 'add' ? record : '(removed)',
    });
  }
  return shown;
}
