import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contacts } from '../demo/crm/contacts.ts';
import { numberFor, scenarioFor, scenarios, scenarioTable } from './scenarios.ts';

it('every scenario is met by its number; no ending hides another', () => {
  for (const { name } of scenarios) expect(scenarioFor(numberFor(name)).name).toBe(name);
  const endings = scenarios.map(({ ending }) => ending);
  expect(new Set(endings).size).toBe(endings.length);
});

it('no number of the demo meets a scenario by chance', () => {
  const numbers = contacts.flatMap(({ phones }) => phones.map(({ number }) => number.replace(/\D/g, '')));
  expect(numbers.length).toBeGreaterThan(15);
  for (const number of numbers) expect(scenarioFor(number).name).toBe('anyOther');
});

it('docs/sandbox.md has the table as it is', () => {
  const docs = readFileSync(new URL('../docs/sandbox.md', import.meta.url), 'utf8');
  expect(docs, 'paste the output of `npm run sandbox -- --scenarios`').toContain(scenarioTable());
});
