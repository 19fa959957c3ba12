/** A relay process that logs calls in a real CRM, through a proxy that can cut connections. */
import { writeFile } from 'node:fs/promises';
import { type RelayProcess, startRelayProcess } from '../relay/relay-process.ts';
import { announce, ask, hangup, newClick } from '../relay/test-relay.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { withPrefix } from '../with-prefix.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { type RealCrm, templateOf } from './real-crm.ts';

export interface LoggingRelay {
  proxy: CuttingProxy;
  process: RelayProcess;
  /** Each step is repeated if the relay dies meanwhile. */
  place(record: string): Promise<PlacedCall>;
  end(call: PlacedCall): Promise<void>;
  wrapUp(call: PlacedCall): Promise<void>;
  /** The agent chooses another record. */
  move(call: PlacedCall, to: string): Promise<PlacedCall>;
  stop(): Promise<void>;
}

export interface PlacedCall {
  id: string;
  record: string;
  /** The record that it had before. */
  left?: string;
  notificationPath: string;
}

export async function startLoggingRelay(crm: RealCrm): Promise<LoggingRelay> {
  const proxy = await startCuttingProxy(crm);
  const folder = await temporaryFolder();
  await writeFile(folder.file('rules.json'), JSON.stringify({ templates: [templateOf(crm)] }));
  const relay = await startRelayProcess({
    STORE: `sqlite:${folder.file('relay.db')}`,
    RULES_FILE: folder.file('rules.json'),
    MAX_CALLS_PER_MINUTE: '1000000',
    MAX_CALLS_PER_DESTINATION_PER_MINUTE: '1000000',
    ...withPrefix('CRM_CRM_', { URL: proxy.url, ...crm.settings }),
  });
  const key = await relay.print('key', 'add', '--from', '1105', '--client-calls');
  const succeed = (path: string, options: object) =>
    again(async () => {
      const { status, text } = await ask(relay.url, path, options);
      // 412: the relay saved it before it died.
      if (status >= 300 && status !== 412) throw new Error(`${path}: HTTP ${status} ${text}`);
      return true;
    });
  return {
    proxy,
    process: relay,
    async place(id) {
      const record = { system: 'crm', kind: crm.kind, id };
      const click = newClick();
      const { call, path } = await again(() => announce(relay.url, key, '4833224455', { click, record }));
      return { id: call.id, record: id, notificationPath: path };
    },
    async end({ notificationPath }) {
      await succeed(notificationPath, { body: hangup() });
    },
    async wrapUp({ id }) {
      const request = { body: { outcome: 'reached' }, headers: { 'if-match': '0' } };
      await succeed(`/v1/calls/${id}/wrap-up`, { as: key, method: 'PATCH', ...request });
    },
    async move(call, to) {
      const body = { system: 'crm', kind: crm.kind, id: to };
      await succeed(`/v1/calls/${call.id}/record`, { as: key, body });
      return { ...call, record: to, left: call.record };
    },
    async stop() {
      await relay.stop();
      await proxy.stop();
      await folder.remove();
    },
  };
}

function again<T>(step: () => Promise<T>): Promise<NonNullable<T>> {
  let failed: unknown;
  const attempt = () =>
    step().catch((error: unknown) => {
      failed = error;
      return undefined;
    });
  return until(attempt, 'the relay’s answer').catch((error: Error) => {
    throw new Error(`${error.message}: ${failed}`);
  }) as Promise<NonNullable<T>>;
}
