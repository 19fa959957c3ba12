import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { EventLog } from './event-log.ts';
import { RelayDatabase } from './relay-database.ts';

it('returns the events of another connection once they can be read', async () => {
  const folder = await temporaryFolder();
  const path = folder.file('relay.db');
  const [ours, theirs] = [new RelayDatabase({ path }), new RelayDatabase({ path })];
  const log = new EventLog(ours);
  const other = new EventLog(theirs);
  other.transaction(() => other.append({ channel: '1105', callId: 'a', data: '{}' }, 0, 0));
  const all = vi.spyOn(ours, 'all').mockImplementationOnce(() => {
    throw new Error('disk I/O error');
  });
  expect(() => log.catchUp()).toThrow('disk I/O error');
  expect(log.catchUp().map(({ seq }) => seq)).toEqual([1]);
  expect(log.catchUp()).toEqual([]);
  all.mockRestore();
  ours.close();
  theirs.close();
  await folder.remove();
});
