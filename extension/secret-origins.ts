import { valueAt } from './dotted-path.ts';
import type { SecretName } from './messages/pages.ts';

/** The addresses that each secret is sent to, by dotted path in the settings. */
const secretAddresses: Readonly<Record<SecretName, readonly string[]>> = {
  agentKey: ['connection.relayUrl'],
  serviceToken: ['primaryUrl', 'secondaryUrl', 'localUrl'].map((name) => `connection.direct.${name}`),
};

/** Origins of the addresses that a secret is sent to. @param settings saved, or as typed with complete addresses. */
export function secretOrigins(name: SecretName, settings: object): string[] {
  const addresses = secretAddresses[name].map((path) => valueAt(settings, path));
  return addresses.filter(isAddress).map((address) => new URL(address).origin);
}

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value);
