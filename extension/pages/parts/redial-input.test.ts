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

test.each([
  '(48) 3222-1000',
  '+49 89 32168011',
  '+1 415 555 2671',
  '1105',
  '(48) 3222-1000 ramal 227',
  '(48) 3222-1227 ramal 227',
  '(48) 3222-1000 ramal 1000',
  '3222 1000 123 ramal 227',
])('a call to %s that is made again means the same number', (first) => {
  const { display, extension, ...number } = understood(first)!;
  expect(understood(redialInput({ display, ...(extension && { extension }) }))).toEqual({
    ...number,
    display,
    ...(extension && { extension }),
  });
});

const ticket = { system: 'rt', kind: 'ticket', id: '4711' };
const call = newCall({ id: 'c'.repeat(22), from: '1105', to: '4832221000', now: '2026-11-25T12:00:00Z' });
const linked = { ...ticket, url: 'https://rt.example/4711' };
test.each([
  ['its record', { call: { ...call, record: linked }, hasWrapUp: true }, ticket],
  [
    'none where the agent wanted none',
    { call, formerRecord: ticket, hasWrapUp: true, isNotLogged: true },
    null,
  ],
  ['none where the agent wanted none before it', { call, isNotLogged: true }, null],
  ['what is found where it had none', { call, hasWrapUp: true }, undefined],
  ['what is found where its record is unknown', { call, formerRecord: ticket, hasWrapUp: true }, undefined],
  ['the record of its click where no relay placed it', { call, formerRecord: ticket }, ticket],
])('a repeated call is about %s', (_what, repeated, record) => {
  expect(redialChoices(repeated).record).toEqual(record);
});

test('a repeated call keeps the name that stood beside the number', () => {
  expect(redialChoices({ call, name: 'Ana Prado' }).name).toBe('Ana Prado');
});
