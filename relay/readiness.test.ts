import { expect, it } from 'vitest';
import { Readiness } from './readiness.ts';

it('checks the store once for a thousand questions', async () => {
  let checks = 0;
  const readiness = new Readiness(async () => void checks++);
  for (let n = 0; n < 1000; n++) await readiness.check();
  await Promise.all(Array.from({ length: 1000 }, () => readiness.check()));
  expect(checks).toBe(1);
});

it('checks again after a failure', async () => {
  let checks = 0;
  const readiness = new Readiness(async () => {
    if (++checks === 1) throw new Error('full');
  });
  await expect(readiness.check()).rejects.toThrow('full');
  await readiness.check();
  readiness.forget();
  await readiness.check();
  expect(checks).toBe(3);
});
