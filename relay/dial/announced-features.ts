/**
 * What the calling service can do beyond its documented interface. Its health route announces this. An undocumented
 * field is sent only to an address that announced it.
 */
import type { Logger } from 'pino';
import { request } from 'undici';
import { z } from 'zod';
import { minuteMs } from '../../shared/durations.ts';
import { parseObject } from '../../shared/service/json.ts';
import { callUrl } from '../../shared/service/request.ts';

/** How long a health request may take. The relay's start waits for the first one. */
const timeoutMs = 1000;
const intervalMs = minuteMs;
const maxLength = 16 * 1024;

/** The answer of our calling service and of the sandbox to `GET /healthz`. */
const Health = z.object({ events: z.array(z.string()), hangUp: z.literal(true) });

export class AnnouncedFeatures {
  private readonly announcing = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  /** @param addresses of the service; empty where it is not to be asked. */
  constructor(
    private readonly addresses: readonly string[],
    private readonly log: Logger,
  ) {}

  /** Asks each address now, and again every minute: a service may be exchanged or updated while the relay runs. */
  async start(): Promise<void> {
    await Promise.all(this.addresses.map((address) => this.askAddress(address)));
    if (this.addresses.length > 0) this.timer = setTimeout(() => void this.start(), intervalMs).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Whether a service reports ringing and answers, and hangs up. */
  hasEvents(address: string): boolean {
    return this.announcing.has(address);
  }

  private async askAddress(address: string): Promise<void> {
    const announces = await this.read(address);
    // If the service cannot be reached, what it announced before stays.
    if (announces === undefined || announces === this.announcing.has(address)) return;
    if (announces) this.announcing.add(address);
    else this.announcing.delete(address);
    this.log.info({ announces }, 'the service announces ringing, answers and hang-up');
  }

  /** @returns undefined if the service did not answer, or answered with a server error. */
  private async read(address: string): Promise<boolean | undefined> {
    try {
      const url = new URL('healthz', callUrl(address));
      const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
      let text = '';
      for await (const chunk of body) {
        text += chunk;
        if (text.length > maxLength) break;
      }
      if (statusCode >= 500) return undefined;
      const health = Health.safeParse(parseObject(text));
      return statusCode === 200 && health.success && health.data.events.includes('all');
    } catch {
      return undefined;
    }
  }
}
