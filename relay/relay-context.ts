import type { Logger } from 'pino';
import type { Access } from './access/principal.ts';
import type { CallPlacer } from './dial/call-placer.ts';
import type { Directory } from './directory/directory.ts';
import type { Forwarder } from './forward/forwarder.ts';
import type { CallLogger } from './log/call-logger.ts';
import type { CrmConnection } from './log/connectors/connections.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import type { CallRules } from './rules/call-rules.ts';
import type { NumbersEpoch } from './rules/numbers-epoch.ts';
import type { RulesSource } from './rules/rules-file.ts';
import type { RelaySettings } from './settings.ts';
import type { Store } from './store/store.ts';
import type { Hub } from './stream/hub.ts';

/** What the routes share. */
export interface RelayContext {
  settings: RelaySettings;
  store: Store;
  readiness: Readiness;
  hub: Hub;
  access: Access;
  placer: CallPlacer;
  rules: RulesSource;
  callRules: CallRules;
  numbersEpoch: NumbersEpoch;
  connections: ReadonlyMap<string, CrmConnection>;
  /** Absent where no CRM is set. */
  callLogger: CallLogger | undefined;
  /** Absent where no source of names is set, and none has left names. */
  directory: Directory | undefined;
  /** Absent where notifications are not forwarded. */
  forwarder: Forwarder | undefined;
  metrics: Metrics;
  log: Logger;
  /** True once the relay has begun to stop. */
  isStopping: boolean;
}
