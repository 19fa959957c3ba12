/** Reads and clicks widgets in a tab by their visible text and position. */
import type { Point, Tab } from '../../testing/browsers/browser.ts';
import { until } from '../../testing/until.ts';

const root = (nth: number) => `document.querySelectorAll('dialmark-widget')[${nth}]?.shadowRoot`;

export const textOfWidget = (tab: Tab, nth = 0): Promise<string> =>
  tab.evaluate(`${root(nth)}?.querySelector('section')?.innerText ?? ''`);

/** The state of the newest call. */
export const stateOfWidget = (tab: Tab, nth = 0): Promise<string | null> =>
  tab.evaluate(`${root(nth)}?.querySelector('[data-state]')?.dataset.state ?? null`);

export const connectionOfWidget = (tab: Tab): Promise<string | null> =>
  tab.evaluate(`${root(0)}?.querySelector('section')?.dataset.connection ?? null`);

export const inWidget = <T>(tab: Tab, expression: string, nth = 0): Promise<T> =>
  tab.evaluate(`((root) => ${expression})(${root(nth)})`);

export const waitForText = (tab: Tab, text: string, nth = 0): Promise<true> =>
  until(async () => (await textOfWidget(tab, nth)).includes(text), `"${text}" in the widget`);

/**
 * Waits for an open stream and the history. Before that, a call on the stream may be in the history already, and then
 * causes no event; and the request for the history is not one that a story made.
 */
export const waitForConnection = (tab: Tab, nth = 0): Promise<true> =>
  until(
    () =>
      inWidget<boolean>(
        tab,
        `root?.querySelector('section')?.dataset.connection === 'open' && !root.querySelector('[part=loading]')`,
        nth,
      ),
    'an open connection and the history',
  );

export async function clickInWidget(tab: Tab, selector: string): Promise<void> {
  const at = await until<Point>(
    () =>
      inWidget<Point | null>(
        tab,
        `{ const element = root?.querySelector(${JSON.stringify(selector)}); if (!element) return null;
           element.scrollIntoView({ block: 'center', behavior: 'instant' });
            const box = element.getBoundingClientRect();
           return box.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null; }`,
      ),
    `${selector} in the widget`,
  );
  await tab.clickAt(at);
}

/** A script that keeps every event of the widgets. */
export const keepEvents = `<script>
  window.seen = [];
  for (const name of ['call', 'error', 'ready'])
    document.addEventListener('dialmark:' + name, ({ detail }) => seen.push({ name, ...detail }));
</script>`;
interface SeenEvent {
  name: 'call' | 'error' | 'ready';
  id?: string;
  to?: string;
  state?: string;
  revision?: number;
  code?: string;
}
export const seenEvents = (tab: Tab): Promise<SeenEvent[]> => tab.evaluate('seen');
