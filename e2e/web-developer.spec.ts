/** docs/embedders.md, "Two minutes, on your own computer": its commands, its page and its number, as they stand there. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Child, root, startChild } from '../testing/child.ts';
import { startWalk } from '../testing/first-call-walk.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';
import { clickInWidget, inWidget, waitForConnection, waitForText } from './widget/widget-in-tab.ts';

const fallback = 'Calls are shown here once the agent is signed in and the relay can be reached.';

test('the walk of the web developer: the page of docs/embedders.md calls, outlives the relay @exhaustive', async ({
  tab,
  browserUnderTest,
}) => {
  const folder = await temporaryFolder();
  const [service, relay, site] = [await freePort(), await freePort(), await freePort()];
  const guide = await twoMinutes();
  /** Only the ports differ from the document, since others may be using those. */
  const withPorts = (text: string) =>
    text
      .replace('npm run sandbox', `npm run sandbox -- --port ${service}`)
      .replaceAll(':3000', `:${service}`)
      .replaceAll(':8787', `:${relay}`)
      .replaceAll(':8080', `:${site}`);
  const environment = {
    DIALMARK_LISTEN: `127.0.0.1:${relay}`,
    DIALMARK_STORE: `sqlite:${folder.file('relay.db')}`,
    PORT: `${site}`,
  };
  const terminals: Child[] = [];
  const walk = startWalk('web developer');
  const type = async (commands: string, untilSays: string) => {
    const terminal = startChild(['sh', '-c', withPorts(commands)], { environment });
    terminals.push(terminal);
    walk.add('commands', commands.trim().split('\n').length);
    await until(() => terminal.output().includes(untilSays), `"${untilSays}" from ${commands}`);
    return terminal;
  };
  try {
    const [startService, startRelay, startSite] = guide.shell;
    await type(startService!, '/call');
    const relayTerminal = await type(startRelay!, 'listening on');
    await type(startSite!, withPorts(guide.address));

    await tab.goto(withPorts(guide.address));
    await waitForText(tab, 'Signed out');
    expect(await isFallbackShown()).toBe(true);
    await tab.evaluate(`(() => { ${guide.script} })()`);
    await tab.reload();
    await waitForConnection(tab);
    expect(await isFallbackShown()).toBe(false);
    const counted = walk.counting(tab);
    await clickInWidget(counted, 'input');
    for (const key of guide.number.replace(/\D/g, '')) await tab.press(key);
    await clickInWidget(counted, '[part=button]');
    await waitForText(tab, 'Ringing your phone, then (11) 3350-9001');
    await waitForText(tab, 'Talked for 0:04');
    await walk.end(browserUnderTest.name);

    // Its number again, by a click; meanwhile the first call is a recent one, with its recording.
    await clickInWidget(tab, '[part=redial]');
    await waitForText(tab, 'Ringing your phone, then (11) 3350-9001');
    await clickInWidget(tab, 'details summary');
    const row = await until(
      () =>
        inWidget<object | false>(
          tab,
          `root.querySelector('details[open]') && { recording: root.querySelector('details audio').src,
             again: root.querySelector('details [part=redial]').innerText, disabled: root.querySelector('details [part=redial]').ariaDisabled }`,
        ),
      'the opened row',
    );
    expect(row).toEqual({
      recording: expect.stringContaining(`:${service}/recordings`),
      again: 'Call (11) 3350-9001',
      disabled: 'true',
    });
    expect(tab.errors().filter((error) => !/40[14]/.test(error))).toEqual([]);

    await relayTerminal.stop('SIGKILL');
    await until(isFallbackShown, 'what stands inside the tag');
    await waitForText(tab, 'Offline.');
  } finally {
    for (const terminal of terminals) await terminal.stop('SIGKILL');
    await folder.remove();
  }

  /** Whether what stands inside the tag is painted. */
  function isFallbackShown(): Promise<boolean> {
    return tab.evaluate(
      `(() => { const range = document.createRange(); const text = document.querySelector('dialmark-widget').firstChild;
         range.selectNodeContents(text); return text.data.trim() === ${JSON.stringify(fallback)} && range.getClientRects().length > 0; })()`,
    );
  }
});

/** The section's blocks of code, and the address and number that it names. */
async function twoMinutes() {
  const text = await readFile(path.join(root, 'docs/embedders.md'), 'utf8');
  expect(text).toContain(`  ${fallback}\n</dialmark-widget>`);
  const section = /\n## Two minutes.*?\n(?=## )/s.exec(text)![0];
  const blocks = (language: string) =>
    [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!);
  return {
    shell: blocks('sh'),
    script: blocks('js')[0]!,
    address: /Open `(.+?)`/.exec(section)![1]!,
    number: /call `(.+?)`/.exec(section)![1]!,
  };
}
