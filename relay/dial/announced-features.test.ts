import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ourFeatures } from '../../shared/service/request.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { AnnouncedFeatures } from './announced-features.ts';

let health: object | undefined;
let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider(() => health);
});
afterEach(() => provider.close());

const read = async (...addresses: string[]) => {
  const features = new AnnouncedFeatures(addresses, pino({ level: 'silent' }));
  await features.start();
  features.stop();
  return features;
};

describe('AnnouncedFeatures', () => {
  it('finds the health route beside /call, however the base address is written', async () => {
    health = ourFeatures;
    for (const address of [provider.url, `${provider.url}/`, `${provider.url}/call`])
      expect((await read(address)).hasEvents(address)).toBe(true);
  });

  it('follows a service that begins or ends to announce', async () => {
    const features = await read(provider.url);
    for (const announced of [ourFeatures, { status: 'ok' }, ourFeatures]) {
      health = announced;
      await features.start();
      expect(features.hasEvents(provider.url)).toBe(announced === ourFeatures);
    }
    features.stop();
  });

  it('keeps what a service announced that cannot be reached', async () => {
    health = ourFeatures;
    const features = await read(provider.url);
    await provider.close();
    await features.start();
    features.stop();
    expect(features.hasEvents(provider.url)).toBe(true);
  });

  it('reads no announcement into a page, an error or a long body', async () => {
    const bodies = [[], 'events', { events: 'all', hangUp: true }, { events: ['all'] }, undefined];
    const long = { ...ourFeatures, padding: 'x'.repeat(1024 * 1024) };
    for (const body of [...bodies, long]) {
      health = body as object;
      expect((await read(provider.url)).hasEvents(provider.url)).toBe(false);
    }
  });
});
