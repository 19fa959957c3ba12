/** The operator's CRMs, each with the connector of its kind. */
import type { SendLimits } from '../../dial/send-once.ts';
import { type CrmKind, type CrmSystem, withoutEndSlashes } from '../crm-settings.ts';
import type { Connector } from './connector.ts';
import { type CrmClient, crmClient } from './crm-client.ts';
import { odooConnector } from './odoo.ts';
import { redmineConnector } from './redmine.ts';
import { rtConnector } from './rt.ts';
import { trytonConnector } from './tryton.ts';
import { webhookConnector } from './webhook.ts';

export interface CrmConnection {
  system: CrmSystem;
  connector: Connector;
  client: CrmClient;
}

const connectorOf: Readonly<Record<CrmKind, (system: CrmSystem) => Connector>> = {
  rt: rtConnector,
  odoo: odooConnector,
  tryton: trytonConnector,
  redmine: redmineConnector,
  webhook: ({ url, secret }) => {
    const { pathname, search } = new URL(url);
    return webhookConnector(pathname + search, secret!);
  },
};

/** @returns the connections by the name of their system, which is a template's `system`. */
export function connectCrms(
  systems: readonly CrmSystem[],
  limits?: Partial<SendLimits>,
): ReadonlyMap<string, CrmConnection> {
  return new Map(
    systems.map((system) => {
      // The address keeps its login, which its origin would leave out.
      const address =
        system.kind === 'webhook' ? withoutEndSlashes(new URL('/', system.url).href) : system.url;
      return [
        system.name,
        { system, connector: connectorOf[system.kind](system), client: crmClient(address, limits) },
      ];
    }),
  );
}

/** The systems that log a call about a record of `system`: that system if it has a connector, and every webhook. */
export function loggingSystems(connections: ReadonlyMap<string, CrmConnection>, system: string): string[] {
  return [...connections.values()]
    .filter(({ system: { name, kind } }) => kind === 'webhook' || name === system)
    .map(({ system: { name } }) => name)
    .sort((a, b) => Number(b === system) - Number(a === system));
}
