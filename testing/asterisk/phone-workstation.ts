/** A real browser, relay, calling service, Asterisk and phones, for tests from the click to the ring. */
import { type CrmRelay, crmResponse } from '../../sandbox/crm-host.ts';
import { type BrowserAtRelay, type BrowserAtRelayOptions, openBrowserAtRelay } from '../browser-at-relay.ts';
import type { TestBrowser } from '../browsers/browser.ts';
import type { BrowserName } from '../browsers/launch.ts';
import { freePort } from '../servers/free-port.ts';
import { serveAsync } from '../servers/serve-async.ts';
import { type AmiProxy, startAmiProxy } from './ami-proxy.ts';
import { type PbxServiceProcess, startPbxServiceProcess } from './pbx-service-process.ts';
import { type Asterisk, startAsterisk } from './start-asterisk.ts';

export interface PhoneWorkstation<Browser extends TestBrowser = TestBrowser> extends BrowserAtRelay<Browser> {
  readonly asterisk: Asterisk;
  readonly service: PbxServiceProcess;
  /** Between service and Asterisk. */
  readonly ami: AmiProxy;
  readonly crmUrl: string;
}

interface PhoneWorkstationOptions<Browser extends TestBrowser>
  extends Omit<BrowserAtRelayOptions<Browser>, 'events'> {
  /** How long an agent's phone rings. */
  timeoutSeconds?: number;
}

/** @throws Error naming what is missing; nothing is left running then. */
export async function openPhoneWorkstation<Browser extends TestBrowser = TestBrowser>(
  browserName: BrowserName,
  options: PhoneWorkstationOptions<Browser> = {},
): Promise<PhoneWorkstation<Browser>> {
  const { timeoutSeconds = 12 } = options;
  const relayPort = options.relayPort ?? (await freePort());
  let started!: Pick<PhoneWorkstation, 'asterisk' | 'service' | 'ami' | 'crmUrl'>;
  const opened = await openBrowserAtRelay(
    browserName,
    { ...options, relayPort, events: 'all' },
    async ({ cleanup, runStep }) => {
      const asterisk = await runStep('Asterisk', () => startAsterisk());
      cleanup.add('Asterisk', () => asterisk.close());
      const ami = await startAmiProxy(asterisk.ports.ami);
      cleanup.add('the AMI proxy', () => ami.close());
      const service = await runStep(
        'the calling service on Asterisk',
        async () => {
          const process = await startPbxServiceProcess(asterisk, {
            AMI: ami.address,
            TIMEOUT_SECONDS: String(timeoutSeconds),
            RETURN_HOSTS: `127.0.0.1:${relayPort}`,
          });
          cleanup.add('the calling service', () => process.stop('SIGTERM'));
          await process.untilReady();
          return process;
        },
        ({ url }) => url,
      );
      let relay: CrmRelay | undefined;
      const crm = await serveAsync(async (request, response) => {
        const url = new URL(request.url ?? '/', 'http://crm');
        const options = { relay, folder: undefined, recordings: service.url };
        if (!(await crmResponse(request, response, url, options))) response.writeHead(404).end();
      });
      cleanup.add('the CRM', () => crm.close());
      started = { asterisk, service, ami, crmUrl: crm.url };
      return {
        provider: service,
        crm: {
          url: crm.url,
          connectRelay(connected) {
            relay = connected;
          },
        },
      };
    },
  );
  return { ...opened, ...started };
}
