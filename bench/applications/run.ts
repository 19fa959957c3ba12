/**
 * What a page at rest costs the processor with us in it: one view of each application that the stories run
 * at, in Chromium, opened under a name that the extension is enabled on and under one that it is not.
 */
import { writeFile } from 'node:fs/promises';
import { ensureApplicationPackages } from '../../testing/applications/application-packages.ts';
import { startRequestTracker } from '../../testing/applications/request-tracker.ts';
import { startRoundcube } from '../../testing/applications/roundcube.ts';
import { serveTemplates } from '../../testing/applications/templates.ts';
import type { ChromiumTab } from '../../testing/browsers/chromium-tab.ts';
import { Cleanup } from '../../testing/cleanup.ts';
import { openWorkstation } from '../../testing/workstation.ts';
import { formatTable } from '../table.ts';

interface View {
  name: string;
  open(tab: ChromiumTab, host: string): Promise<unknown>;
}

const restMs = 10_000;
/** Until scripts of the page, and ours, have done what they do after loading. */
const settleMs = 3_000;

export async function run({ json }: { json?: string }): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const packages = await ensureApplicationPackages();
    const templates = await serveTemplates(packages);
    cleanup.add('the templates', templates.close);
    const roundcube = await startRoundcube(packages, cleanup);
    const tracker = await startRequestTracker(packages, cleanup);
    const views: View[] = [
      {
        name: "AdminLTE's live table",
        open: (tab, host) => tab.goto(templates.url('admin-lte@4.0.0/dist/tables/data.html', host)),
      },
      {
        name: "Tabler's cards of users",
        open: (tab, host) => tab.goto(templates.url('@tabler/preview@1.2.0/dist/users.html', host)),
      },
      {
        name: "Roundcube's mail",
        async open(tab, host) {
          await roundcube.logIn(tab, host);
          await tab.goto(roundcube.url('_task=mail&_mbox=INBOX&_uid=1&_action=show', host));
        },
      },
      {
        name: "Request Tracker's ticket",
        async open(tab, host) {
          await tracker.logIn(tab, host);
          await tab.goto(tracker.url('/Ticket/Display.html?id=1', host));
        },
      },
    ];
    const workstation = await openWorkstation('chromium');
    cleanup.add('the workstation', () => workstation.close());
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
    const results: { name: string; without: number; withUs: number }[] = [];
    for (const { name, open } of views) {
      const busy: number[] = [];
      for (const host of ['localhost', '127.0.0.1']) {
        const tab = (await workstation.browser.newTab()) as ChromiumTab;
        await open(tab, host);
        busy.push(await busyAtRest(tab));
        await tab.close();
      }
      results.push({ name, without: busy[0]!, withUs: busy[1]! });
    }
    console.log(
      formatTable([
        ['at rest, milliseconds of main thread a second', 'without us', 'with us'],
        ...results.map(({ name, without, withUs }) => [name, without.toFixed(2), withUs.toFixed(2)]),
      ]),
    );
    if (json !== undefined) await writeFile(json, JSON.stringify({ applications: results }, null, 2));
  } finally {
    await cleanup.run();
  }
}

/** Milliseconds a second that the page's main thread is busy while nothing happens. */
async function busyAtRest(tab: ChromiumTab): Promise<number> {
  await tab.activate();
  const session = await tab.page.context().newCDPSession(tab.page);
  await session.send('Performance.enable');
  const taskSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  await tab.page.waitForTimeout(settleMs);
  const before = await taskSeconds();
  await tab.page.waitForTimeout(restMs);
  const seconds = (await taskSeconds()) - before;
  await session.detach();
  return (seconds * 1000) / (restMs / 1000);
}
