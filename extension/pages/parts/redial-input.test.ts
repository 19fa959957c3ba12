import { expect, test } from 'vitest';
import { parseDialInput } from '../../../shared/numbers/reading/dial-input.ts';
import { exampleSettings } from '../options/example-settings.ts';
import { redialInput } from './redial-input.ts';

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
