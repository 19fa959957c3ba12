/** The team's day, and what an agent reads of a list that is too old. */
import { writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { CallRules, problemOfRule, type RuledCaller } from './call-rules.ts';
import { RulesSource } from './rules-file.ts';

const folder = await temporaryFolder();
afterAll(() => folder.remove());

const marta: RuledCaller = { kind: 'agent', keyId: 'k', name: 'Marta', team: 'sales', rights: [] };
const hourMs = 3_600_000;

/** The days under which the attempts of each hour are counted, with how many hours each has. */
async function hoursByDay(timeZone: string, from: string, hours: number): Promise<[string, number][]> {
  const file = folder.file(`${timeZone.replace('/', '-')}.json`);
  await writeFile(file, JSON.stringify({ maxAttemptsPerDay: 3, timeZone }));
  const source = new RulesSource(file, pino({ level: 'silent' }));
  const lists = { find: () => undefined, tooOld: () => undefined };
  const settings = { country: 'BR' as const, dialExtensions: [], dialOutsidePrefix: undefined };
  const rules = new CallRules(settings, source, lists, { rules: {} as never });
  source.close();
  const days = new Map<string, number>();
  for (let hour = 0; hour < hours; hour++) {
    const { attempt } = rules.judge('1105', { to: '48999991001' }, marta, Date.parse(from) + hour * hourMs);
    const day = attempt!.bucket.split('/').at(-1)!;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return [...days];
}

it("counts attempts by the day of the team's own clock", async () => {
  // 03:00 UTC is midnight in São Paulo: a day of UTC would begin at 21:00 there.
  expect(await hoursByDay('America/Sao_Paulo', '2026-11-23T03:00:00Z', 48)).toEqual([
    ['2026-11-23', 24],
    ['2026-11-24', 24],
  ]);
});

it('gives a day 23 or 25 hours where the clocks change', async () => {
  expect(await hoursByDay('America/New_York', '2026-03-08T05:00:00Z', 24)).toEqual([
    ['2026-03-08', 23],
    ['2026-03-09', 1],
  ]);
  expect(await hoursByDay('America/New_York', '2026-11-01T04:00:00Z', 26)).toEqual([
    ['2026-11-01', 25],
    ['2026-11-02', 1],
  ]);
});

it('names a list that is too old only to those who may change the rules', () => {
  const detailFor = (caller: RuledCaller) =>
    problemOfRule({ kind: 'listTooOld', list: 'debtors' }, caller)?.problem.message;
  expect(detailFor({ ...marta, rights: ['rules'] })).toContain('"debtors"');
  expect(detailFor(marta)).not.toContain('debtors');
  expect(detailFor({ ...marta, kind: 'ticket' })).not.toContain('debtors');
});

it.each([
  ['of 25 hours', '2026-11-01T04:30:00Z', 24.5],
  ['of 23 hours', '2026-03-08T05:30:00Z', 22.5],
  ['of 24 hours', '2026-11-02T05:30:00Z', 23.5],
])('lets a number be called again after the end of a day %s', (_day, now, hours) => {
  const limited = { kind: 'limited', bucket: 'attempts/sales/+1/2026' } as const;
  const refused = problemOfRule(limited, marta, 'America/New_York', Date.parse(now));
  expect(refused?.problem.retryAfterSeconds).toBe(hours * 3600);
});
