/**
 * `npm run dev`: the demo of `npm start` in a Chromium. A change of a source rebuilds the extension, the widget
 * or the CRM, and reloads it there.
 */
import path from 'node:path';
import { print, runStep, silence } from '../demo/progress.ts';
import { demoToken } from '../sandbox/service.ts';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { launchBrowser } from '../testing/browsers/launch.ts';
import { root } from '../testing/child.ts';
import { Cleanup, firstSignal } from '../testing/cleanup.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { openWorkstation } from '../testing/workstation.ts';
import { rebuild } from './rebuild.ts';
import { watchFolders } from './watch-folders.ts';

const folders = ['extension', 'widget', 'shared', 'demo/crm'].map((name) => path.join(root, name));

async function run(cleanup: Cleanup): Promise<void> {
  const workstation = await openWorkstation<ChromiumBrowser>('chromium', {
    cleanup,
    runStep,
    launch: () => launchBrowser('chromium', { headless: false }),
    sandbox: { port: await freePort(3000), token: demoToken, speed: 1 },
    relayPort: await freePort(8787),
  });
  const { browser, relay, sandbox } = workstation;
  await runStep('the extension, set up on its options page and enabled on the CRM', async () => {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
  });
  await workstation.openTab(`${sandbox.url}/crm/`);
  const onChange = () =>
    runStep(
      'rebuild what changed',
      () => rebuild(browser),
      (parts) => parts.join(', ') || 'nothing',
    ).then(
      () => {},
      (error: Error) => print(error.message),
    );
  cleanup.add('the watch', watchFolders(folders, onChange));
  print(`
  CRM       ${sandbox.url}/crm/
  relay     ${relay.url}   agent key ${workstation.key}
  service   ${sandbox.url}/call   token ${sandbox.token}

  Change a source file: its part is rebuilt and reloaded. Ctrl-C ends everything.
`);
  await new Promise((resolve) => browser.context.once('close', resolve));
}

const cleanup = new Cleanup();
const ended = firstSignal(cleanup);
void ended.then(silence);
await Promise.race([run(cleanup), ended])
  .catch((error: Error) => {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  })
  .finally(() => cleanup.run());
process.exit();
