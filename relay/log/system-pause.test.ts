import { expect, it } from 'vitest';
import { SystemPause } from './system-pause.ts';

function failed(times: number) {
  const pause = new SystemPause();
  for (let n = 0; n < times; n++) pause.fail(0);
  return pause;
}

it('admits all while single entries fail', () => {
  expect(failed(3).admit(4, 0)).toEqual({ limit: 4 });
});

it('admits one entry after a pause of a failing system, then none until the next pause is over', () => {
  const pause = failed(4);
  expect(pause.admit(4, 4_999)).toEqual({ limit: 0, next: 5_000 });
  expect(pause.admit(4, 5_000)).toEqual({ limit: 1 });
  pause.fail(5_000);
  expect(pause.admit(4, 14_999)).toEqual({ limit: 0, next: 15_000 });
});

it('waits at most a minute between two questions', () => {
  expect(failed(40).admit(4, 0)).toEqual({ limit: 0, next: 60_000 });
});

it('admits none for as long as the system has asked to wait, also where it answers others', () => {
  const pause = new SystemPause();
  pause.fail(0, 7_000);
  pause.succeed();
  expect(pause.admit(4, 6_999)).toEqual({ limit: 0, next: 7_000 });
  expect(pause.admit(4, 7_000)).toEqual({ limit: 4 });
});

it('admits all again after one answer', () => {
  const pause = failed(9);
  expect(pause.succeed()).toBe(true);
  expect(pause.succeed()).toBe(false);
  expect(pause.admit(4, 0)).toEqual({ limit: 4 });
});

it('forgets a pause where the clock is set back, which would last as long as the difference', () => {
  const [pause, asked] = [new SystemPause(), new SystemPause()];
  for (let n = 0; n < 4; n++) pause.fail(86_400_000);
  asked.fail(86_400_000, 7_000);
  expect([pause.admit(4, 1_000), asked.admit(4, 1_000)]).toEqual([{ limit: 1 }, { limit: 4 }]);
});
