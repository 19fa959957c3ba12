import { expect, it, onTestFinished } from 'vitest';
import { stopProcess } from '../../../testing/stop-process.ts';
import { until } from '../../../testing/until.ts';
import { startScriptedAsterisk } from '../testing/scripted-asterisk.ts';
import { AmiClient } from './ami-client.ts';

it('takes an answer that came while the process was stopped for longer than it may take', async () => {
  const asterisk = await startScriptedAsterisk();
  let isLoggedIn = false;
  const client = new AmiClient({
    host: '127.0.0.1',
    port: asterisk.port,
    username: 'u',
    secret: 's',
    onEvent: () => {},
    onLogin: async () => {
      isLoggedIn = true;
    },
    onLost: () => {},
    actionTimeoutMs: 500,
  });
  onTestFinished(async () => {
    client.stop();
    await asterisk.close();
  });
  client.start();
  await until(() => isLoggedIn, 'the login');
  asterisk.answers.Originate = (_action, send) => {
    send({ Response: 'Success' });
    stopProcess(1000);
  };
  expect(await client.action({ Action: 'Originate' })).toMatchObject({ Response: 'Success' });
});
