import { Option } from 'commander';
import { expect, it } from 'vitest';
import { makeProgram, variablesOf } from './program.ts';

it('takes a setting from the file where the environment has it empty', () => {
  const program = makeProgram('relay', '');
  program.setOptionValue(new Option('--settings <file>').attributeName(), {
    A: 'file',
    B: 'file',
    C: 'file',
  });
  expect(variablesOf(program, { A: 'environment', B: '', C: ' ' })).toMatchObject({
    A: 'environment',
    B: 'file',
    C: 'file',
  });
});
