/** Whether this machine's clock agrees with Redis's, and so with the clocks of the other relays. */
import type { RedisConnection } from './connection.ts';

/** The largest difference of the clocks that is not reported. A ticket may be valid for only ten seconds. */
const maxClockErrorSeconds = 5;

/** @returns one sentence if the clocks disagree. Rejects if Redis cannot be reached. */
export async function clockDoubts(redis: RedisConnection): Promise<string[]> {
  const sentAt = Date.now();
  const [seconds, microseconds] = (await redis.send('TIME')) as string[];
  const middle = (sentAt + Date.now()) / 2000;
  const ahead = middle - Number(seconds) - Number(microseconds) / 1_000_000;
  if (Math.abs(ahead) <= maxClockErrorSeconds) return [];
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  return [
    `This machine’s clock is ${Math.round(Math.abs(ahead))} s ${direction} Redis’s; set both by NTP: ` +
      'relays that share a store go by one time',
  ];
}
