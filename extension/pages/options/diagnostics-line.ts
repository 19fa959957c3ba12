import type { SettingsView } from '../../messages/views.ts';
import { languageTag } from '../../text.ts';

/** The line for a problem report. It is always in English, as logs are. It has no key, no number and no site name. */
export function diagnosticsOf(
  { settings, secrets, locked, managedProblems, missingPermission }: SettingsView,
  version: string,
  userAgent: string,
): string {
  const { connection, agent, numbers, sites } = settings;
  const [client = 'unknown browser'] = /(Firefox|Edg|Chrome)\/[\d.]+/.exec(userAgent) ?? [];
  return [
    `Dialmark ${version}`,
    client,
    `mode ${connection.mode}`,
    `relay ${connection.relayUrl === undefined ? 'none' : new URL(connection.relayUrl).origin}`,
    `agent key ${secrets.agentKey}`,
    `service token ${secrets.serviceToken}`,
    `extension ${agent.from === undefined ? 'none' : 'set'}`,
    `country ${numbers.country}`,
    `dial rules ${numbers.dialRules.length}`,
    `sites ${sites.everywhere ? 'all' : sites.enabled.length} (${missingPermission.length} without permission)`,
    `policy ${locked.length} values (${managedProblems.length} not valid)`,
    `language ${languageTag()}`,
  ].join(' · ');
}
