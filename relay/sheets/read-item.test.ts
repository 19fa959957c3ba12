import { expect, it } from 'vitest';
import { collect } from '../../testing/directory/collect.ts';
import { readItems } from './read-item.ts';

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

it('calls the number that a row writes with its area code in front', async () => {
  const text = 'Name;Area code;Phone\nAna;030;2123456\nRui;;030 2123457\n';
  const items = await collect(readItems(inOnePiece(text), { country: 'DE' }, []));
  expect(items.map((item) => item?.number)).toEqual(['+49302123456', '+49302123457']);
});
