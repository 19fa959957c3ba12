/** Law 8 through a long outage, with a CRM of ours for the volume. `npm run bench -- log --backlog` drains at real ones. */
import { expect, it } from 'vitest';
import { startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import { drainBacklog } from '../../testing/crm/log-backlog.ts';

it('logs each of 10,000 calls once whose CRM was away for three days', { timeout: 600_000 }, async () => {
  const issues = Array.from({ length: 1000 }, (_, n) => String(n + 1));
  const fake = await startFakeRedmine(...issues);
  const crm = {
    url: fake.url,
    settings: { KIND: 'redmine', TOKEN: 'secret-key' },
    pattern: '/issues/{id}',
    kind: 'issue',
    records: ['1', '2'],
    missing: '9999',
    who: /Redmine/,
    isCreation: (method: string) => method === 'PUT',
    texts: async (issue: string) => [...fake.notes(issue)],
    addRecord: async () => issues.shift()!,
  } as const;
  try {
    const { attemptsMeanwhile, seconds, ...figures } = await drainBacklog(crm, 10_000);
    expect(figures).toEqual({ entries: 10_000, lost: 0, twice: 0, elsewhere: 0 });
    // A CRM that is away is asked by one entry at a time, not by each.
    expect(attemptsMeanwhile).toBeLessThan(2000);
    expect(seconds).toBeLessThan(600);
    console.log(`10,000 entries drained in ${seconds.toFixed(0)} s, ${attemptsMeanwhile} attempts before`);
  } finally {
    await fake.stop();
  }
});
