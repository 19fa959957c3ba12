/** The demo's relay, ended with everything else. */
import { type RelayProcess, relayProcess } from '../testing/relay/relay-process.ts';
import type { Undo } from './undo.ts';

export async function startRelayProcess(
  undo: Undo,
  options: { port: number; store: string; providerUrl: string; providerToken: string },
): Promise<RelayProcess> {
  const listen = `127.0.0.1:${options.port}`;
  const relay = relayProcess({
    settings: {
      LISTEN: listen,
      PUBLIC_URL: `http://${listen}`,
      PROVIDER_URL: options.providerUrl,
      PROVIDER_TOKEN: options.providerToken,
      STORE: `sqlite:${options.store}`,
      COUNTRY: 'BR',
    },
    ownGroup: true,
  });
  undo.add('the relay', () => relay.stop('SIGTERM'));
  await relay.start();
  return relay;
}
