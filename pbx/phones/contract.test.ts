import { unregisteredAgent } from '../../testing/asterisk/asterisk-configuration.ts';
import { startPbxServiceProcess } from '../../testing/asterisk/pbx-service-process.ts';
import { startPhone } from '../../testing/asterisk/sip-phone.ts';
import { startAsterisk } from '../../testing/asterisk/start-asterisk.ts';
import { describeServiceContract } from '../../testing/service/service-contract.ts';

describeServiceContract('the calling service at real phones', async (returnUrl) => {
  const asterisk = await startAsterisk();
  const service = await startPbxServiceProcess(asterisk, { RETURN_HOSTS: new URL(returnUrl).host });
  const phones = [
    await startPhone(asterisk, 'agent', { ringMs: 1 }),
    await startPhone(asterisk, 'far', { ringMs: 1, talkMs: 700 }),
  ];
  await service.untilReady();
  return {
    url: service.url,
    token: service.token,
    answeredNumber: '5511999990000',
    lostCall: { from: unregisteredAgent, to: '5511999990000' },
    async close() {
      await service.stop();
      await Promise.all(phones.map((phone) => phone.stop()));
      await asterisk.close();
    },
  };
});
