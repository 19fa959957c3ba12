import { Option } from 'commander';
import { expect, it } from 'vitest';
import { runRelayCommand } from '../../testing/relay/relay-process.ts';
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

it.each([
  [['forget', '--number', '4833221111', '--number', '4833224455'], '--number <number>'],
  [['key', 'add', '--from', '1105', '--from=1106'], '--from <callers>'],
  [['--settings', '/dev/null', 'key', 'list', '--settings', '/dev/null'], '--settings <file>'],
])('refuses an option with a value that is given twice: %j', async (args, option) => {
  expect(await runRelayCommand(args, { STORE: 'memory:' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`error: option '${option}' was given twice\n(--help`),
  });
});

it('accepts a doubled option without a value', async () => {
  const program = makeProgram('relay', 'for this test')
    .option('--yes')
    .action(() => {});
  await program.parseAsync(['--yes', '--yes'], { from: 'user' });
  expect(program.opts()).toEqual({ yes: true });
});
