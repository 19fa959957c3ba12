import { writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { rulesOf } from './rules-file.ts';

const folder = await temporaryFolder();
afterAll(() => folder.remove());

const origin = 'https://crm.example';
it.each([
  [
    { preset: 'redmin', origin },
    /teams\.sales\.templates\.0\.preset: expected rt or redmine or .*, got "redmin"$/,
  ],
  [{ preset: 'redmine' }, /templates\.0\.origin: Invalid input: expected string, received undefined$/],
  [{ preset: 'redmine', origin, databse: 'x' }, /templates\.0: Unrecognized key: "databse"$/],
  [{ system: 'crm', origin, kind: 'deal', pattern: '/deals/{ID}' }, /templates\.0\.pattern: expected a path/],
  ['redmine', /templates\.0: expected \{system, origin, pattern, kind\} or \{preset, origin\}$/],
])('names the field of a template that is wrong: %j', async (template, problem) => {
  const path = folder.file('rules.json');
  await writeFile(path, JSON.stringify({ teams: { sales: { templates: [template] } } }));
  expect(() => rulesOf(path)).toThrow(problem);
});

it('names the setting of a file that is not there', () => {
  expect(() => rulesOf(folder.file('none.json'))).toThrow(
    `DIALMARK_RULES_FILE: ${folder.file('none.json')} cannot be read: there is no such file`,
  );
});
