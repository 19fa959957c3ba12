import { expect, it, vi } from 'vitest';
import { printRow } from './print.ts';

it('keeps a row on one line whatever its cells hold, without codes of terminal or direction', () => {
  const zoe = 'Zoe\tX\u202e\nY\u2067';
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  printRow(['agent-1', zoe, 'asked \u001b[2K\u001b[1Aby mail\r']);
  const printed = out.mock.calls.map(([text]) => text);
  out.mockRestore();
  expect(printed).toEqual(['agent-1\tZoe X Y \tasked [2K [1Aby mail \n']);
});
