import { expect, test } from 'vitest';
import { newCall } from '../../../shared/call/call.ts';
import { parseDialInput } from '../../../shared/numbers/reading/dial-input.ts';
import { exampleSettings } from '../options/example-settings.ts';
import { redialChoices, redialInput } from './redial-input.ts';

const { numbers } = exampleSettings();
const understood = (input: string) => {
  const judged = parseDialInput(input, numbers);
  return 'number' in judged ? judged.number : undefined;
};

test.each(['(48) 3222-1000', '+49 89 32168011', '+1 415 555 2671', '1105', '(48) 3222-1000 ramal 227'])(
  'a call to %s that is made again means the same number',
  (first) => {
    const number = understood(first)!;
    const again = understood(
      redialInput({
        display: number.display,
        ...(number.extension === undefined ? {} : { extension: number.extension }),
      }),
    );
    expect(again).toEqual(number);
  },
);

const ticket = { system: 'rt', kind: 'ticket', id: '4711' };
const call = newCall({ id: 'c'.repeat(22), from: '1105', to: '4832221000', now: '2026-11-25T12:00:00Z' });
test.each([
  ['its record', { ...call, record: { ...ticket, url: 'https://rt.example/4711' } }, undefined, ticket],
  ['none where the agent took it off its record', call, ticket, null],
  ['what is found where it had none', call, undefined, undefined],
  [
    'what is found where its record is to be chosen still',
    { ...call, entry: { state: 'needsAgent', system: '', reason: 'recordUnknown' } as const },
    ticket,
    undefined,
  ],
])('a repeated call is about %s', (_what, repeated, formerRecord, record) => {
  expect(redialChoices({ call: repeated, formerRecord }).record).toEqual(record);
});
