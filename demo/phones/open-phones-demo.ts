/** The demo with a real Asterisk and two phones, which the CRM's page shows and steers. */
import { ensureAsteriskPackages } from '../../testing/asterisk/asterisk-packages.ts';
import { openPhoneWorkstation } from '../../testing/asterisk/phone-workstation.ts';
import { type SipPhone, startPhone } from '../../testing/asterisk/sip-phone.ts';
import type { ChromiumBrowser } from '../../testing/browsers/chromium.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import type { PhoneName } from '../crm/phones.ts';
import { type Demo, type DemoOptions, documentedPorts } from '../open-sandbox-demo.ts';
import { runStep } from '../progress.ts';
import { phoneBoard } from './phone-board.ts';
import { playPhonesStory } from './play-phones-story.ts';

/** Long enough for a person who reads the page first. */
const ringSeconds = 30;

export async function openPhonesDemo({ once: _once, ...options }: DemoOptions): Promise<Demo> {
  await runStep(
    'Asterisk and SIPp, unpacked without installing anything',
    ensureAsteriskPackages,
    ({ dataFolder }) => dataFolder,
  );
  let phones!: Record<PhoneName, SipPhone>;
  const station = await openPhoneWorkstation<ChromiumBrowser>('chromium', {
    ...options,
    servicePort: await freePort(documentedPorts.service),
    relayPort: await freePort(documentedPorts.relay),
    timeoutSeconds: ringSeconds,
    ringSeconds,
    async startPhones(asterisk) {
      const start = async (name: PhoneName) => {
        const phone = await startPhone(asterisk, name, { answer: 'byHand' });
        options.cleanup?.add(`the phone ${name}`, () => phone.stop());
        return phone;
      };
      phones = await runStep('two phones', async () => ({
        agent: await start('agent'),
        far: await start('far'),
      }));
      return phoneBoard(phones);
    },
  });
  const { browser, relay } = station;
  const crmUrl = `${station.crmUrl}/crm/`;
  return {
    ...station,
    crmUrl,
    // The extension then waits as long as the phones ring.
    setUp: (settings) => station.setUp({ ...settings, timeoutSeconds: ringSeconds }),
    invitation: 'Click a phone number in the CRM, then answer both phones on its page.',
    play: (screenshots) =>
      playPhonesStory({
        browser,
        crmUrl,
        relayLog: relay.output,
        screenshots,
        invites: async () => ({ agent: await phones.agent.invites(), far: await phones.far.invites() }),
      }),
    // The page shows all there is.
    follow: () => {},
  };
}
