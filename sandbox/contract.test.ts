import { describeServiceContract } from '../testing/service/service-contract.ts';
import { numberFor } from './scenarios.ts';
import { startSandbox } from './service.ts';

describeServiceContract('the sandbox', async () => {
  const sandbox = await startSandbox({ port: 0, speed: 200 });
  return {
    url: sandbox.url,
    token: sandbox.token,
    answeredNumber: numberFor('answered'),
    lostCall: { from: '1105', to: numberFor('lostCallNotification') },
    close: () => sandbox.close(),
  };
});
