/** A browser, a relay, the calling service, Asterisk and its phones, all real: from the click in the CRM to the phone that rings. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CrmRelay, crmResponse } from '../../sandbox/crm-host.ts';
import { serveHttp } from '../../shared/server/serve-http.ts';
import { type BrowserAtRelay, type BrowserAtRelayOptions, openBrowserAtRelay } from '../browser-at-relay.ts';
import type { TestBrowser } from '../browsers/browser.ts';
import type { BrowserName } from '../browsers/launch.ts';
import { freePort } from '../servers/free-port.ts';
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
  /** Any free one by default. */
  servicePort?: number;
  /** How long an agent's phone rings. */
  timeoutSeconds?: number;
  /** How long a number rings. */
  ringSeconds?: number;
  /** Starts the phones that the CRM's page shows and steers. */
  startPhones?: (asterisk: Asterisk) => Promise<PhoneBoard>;
}

/** Phones on the CRM's page. */
export interface PhoneBoard {
  /** Answers what the page asks of the phones. @returns whether the request was for them. */
  routes(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
}

/** @throws Error naming what is missing; nothing is left running then. */
export async function openPhoneWorkstation<Browser extends TestBrowser = TestBrowser>(
  browserName: BrowserName,
  options: PhoneWorkstationOptions<Browser> = {},
): Promise<PhoneWorkstation<Browser>> {
  const { servicePort = 0, timeoutSeconds = 12, ringSeconds, startPhones } = options;
  const relayPort = options.relayPort ?? (await freePort());
  let started!: Pick<PhoneWorkstation, 'asterisk' | 'service' | 'ami' | 'crmUrl'>;
  const opened = await openBrowserAtRelay(
    browserName,
    { ...options, relayPort, events: 'all' },
    async ({ cleanup, runStep }) => {
      const asterisk = await runStep('Asterisk', () => startAsterisk(undefined, { ringSeconds }));
      cleanup.add('Asterisk', () => asterisk.close());
      const board = await startPhones?.(asterisk);
      const ami = await startAmiProxy(asterisk.ports.ami);
      cleanup.add('the AMI proxy', () => ami.close());
      const service = await runStep(
        'the calling service on Asterisk',
        async () => {
          const process = await startPbxServiceProcess(asterisk, {
            LISTEN: `127.0.0.1:${servicePort}`,
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
      const crm = await serveHttp(async (request, response) => {
        const url = new URL(request.url ?? '/', 'http://crm');
        const isAnswered =
          (await board?.routes(request, response, url)) ||
          (await crmResponse(request, response, url, {
            relay,
            folder: undefined,
            recordings: service.url,
            hasPhones: board !== undefined,
          }));
        if (!isAnswered) response.writeHead(404).end();
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
