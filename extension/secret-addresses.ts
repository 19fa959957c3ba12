import type { SecretName } from './messages/pages.ts';

/** The addresses that each secret is sent to, by dotted path in the settings. */
export const secretAddresses: Readonly<Record<SecretName, readonly string[]>> = {
  agentKey: ['connection.relayUrl'],
  serviceToken: ['primaryUrl', 'secondaryUrl', 'localUrl'].map((name) => `connection.direct.${name}`),
};
