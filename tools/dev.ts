/**
 * `npm run dev`: the demo of `npm start` in a Chromium, with the extension, the widget and the CRM rebuilt
 * and reloaded at every change of their sources, and the galleries of widget and extension pages. `-- --once`
 * tries that headless, and exits.
 */
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { print, runStep, silence } from '../demo/progress.ts';
import { startGallery as startPagesGallery } from '../extension/gallery/serve.ts';
import { demoToken } from '../sandbox/service.ts';
import { launchBrowser } from '../testing/browsers/launch.ts';
import { root } from '../testing/child.ts';
import { Cleanup, firstSignal } from '../testing/cleanup.ts';
import { paintedNumbers } from '../testing/extension/marked-numbers.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { until } from '../testing/until.ts';
import { openWorkstation } from '../testing/workstation.ts';
import { startGallery as startWidgetGallery } from '../widget/gallery/serve.ts';
import { buildStale, type Part } from './build.ts';
import { rebuild } from './rebuild.ts';
import { watchFolders } from './watch-folders.ts';

const folders = ['extension', 'widget', 'shared', 'demo/crm'].map((name) => path.join(root, name));

async function main(args: readonly string[]): Promise<void> {
  const once = args.includes('--once');
  const cleanup = new Cleanup();
  const ended = firstSignal(cleanup);
  void ended.then(silence);
  const work = run(cleanup, once, ended);
  await Promise.race([work, ended]).finally(() => {
    work.catch(() => {});
    return cleanup.run();
  });
}

async function run(cleanup: Cleanup, once: boolean, ended: Promise<unknown>): Promise<void> {
  const workstation = await openWorkstation('chromium', {
    cleanup,
    runStep,
    launch: () => launchBrowser('chromium', { headless: once }),
    sandbox: { port: await freePort(3000), token: demoToken, speed: 1 },
    relayPort: await freePort(8787),
  });
  const { browser, relay, sandbox } = workstation;
  await runStep('the extension, set up on its options page and enabled on the CRM', async () => {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
  });
  const pages = await runStep(
    'the gallery of the extension',
    () => startPagesGallery(),
    ({ url }) => url,
  );
  cleanup.add('the gallery of the extension', () => pages.close());
  let widget = await runStep(
    'the gallery of the widget',
    () => startWidgetGallery(),
    ({ url }) => url,
  );
  cleanup.add('the gallery of the widget', () => widget.close());
  for (const { url } of [pages, widget]) await workstation.openTab(url);
  const crm = await workstation.openTab(`${sandbox.url}/crm/`);

  const build = async (parts: readonly Part[]) => {
    const built = await buildStale(parts);
    if (built.includes('widget')) {
      await widget.close();
      widget = await startWidgetGallery(Number(new URL(widget.url).port));
    }
    return built;
  };
  let rebuilds = 0;
  const onChange = async () => {
    const step = runStep(
      'rebuild what changed',
      () => rebuild(browser, build),
      (parts) => parts.join(', ') || 'nothing',
    );
    await step.then(
      (parts) => (rebuilds += parts.length),
      (error: Error) => print(error.message),
    );
  };
  cleanup.add('the watch', watchFolders(folders, onChange));
  if (once) {
    const now = new Date();
    await utimes(path.join(root, 'extension/background/main.ts'), now, now);
    await until(() => rebuilds > 0, 'a rebuild');
    const marks = async () => (await paintedNumbers(crm)).length;
    await runStep('the numbers of the CRM, marked by the rebuilt extension', () => until(marks, 'marks'));
    return;
  }
  print(`
  CRM       ${sandbox.url}/crm/
  relay     ${relay.url}   agent key ${workstation.key}
  service   ${sandbox.url}/call   token ${sandbox.token}

  Change a source file: what it belongs to is rebuilt and reloaded. Ctrl-C ends everything.
`);
  const closed = new Promise((resolve) => browser.context.once('close', resolve));
  await Promise.race([ended, closed]);
}

await main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(`\n${error.message}`);
    process.exit(1);
  },
);
