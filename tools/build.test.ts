import { expect, it } from 'vitest';
import { newestUnder } from './build.ts';

it('rejects where a source folder is missing, instead of taking it for unchanged', async () => {
  await expect(newestUnder('no/such/folder')).rejects.toThrow('no/such/folder');
  expect(await newestUnder('tools')).toBeGreaterThan(0);
});
