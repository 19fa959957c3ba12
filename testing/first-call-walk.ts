/** Counts what one kind of user does up to the first call, and compares it with the goal. */
import { appendFile } from 'node:fs/promises';
import type { Tab } from './browsers/browser.ts';

export interface Effort {
  /** On pages and on the extension's own buttons; the browser's prompts are not counted. */
  clicks?: number;
  pastes?: number;
  /** Lines typed into a shell. */
  commands?: number;
  /** Files that are written or edited. */
  files?: number;
  seconds?: number;
}

/** The most effort that each kind of user may need. */
export const goals = {
  agent: { clicks: 5, pastes: 1 },
  'web developer': { seconds: 120 },
  operator: { commands: 4 },
  administrator: { files: 1 },
  /** From the address and a key of the CRM to the first logged call. */
  'CRM administrator': { files: 3, commands: 3, seconds: 600 },
} satisfies Record<string, Effort>;

export type Walker = keyof typeof goals;
export interface RecordedWalk {
  walker: Walker;
  /** A browser, or empty. */
  where: string;
  effort: Effort;
}

/** The start of the title of every test that records a walk. `npm run bench -- walks` finds the tests by it. */
export const walkTitle = 'the walk of the ';
/** The environment variable that names the file of walks, one JSON object a line. */
export const walksFileVariable = 'DIALMARK_WALKS_FILE';

interface Walk {
  /** Counts one more, or `times` more. */
  add(what: 'clicks' | 'pastes' | 'commands' | 'files', times?: number): void;
  /** The same tab; its `click`, `clickAt` and `clickInOverlay` count as a click each. */
  counting(tab: Tab): Tab;
  /**
   * Stops the clock and records the walk if the bench asked for it.
   * @param where the browser, if any.
   * @throws Error that names the goal that was missed. The bench judges the time, which depends on the machine.
   */
  end(where?: string): Promise<Effort>;
}

/**
 * Starts the clock of a walk. A test whose title begins with `walkTitle` walks and calls `end`, which fails
 * where a goal is missed:
 *
 *     test('the walk of the agent: from installing to the first call', async ({ browserUnderTest }) => {
 *       const walk = startWalk('agent');
 *       const tab = walk.counting(await browserUnderTest.newTab());
 *       await tab.click('#save');            // one click
 *       walk.add('pastes');
 *       await walk.end(browserUnderTest.name);
 *     });
 *
 * `npm run bench -- walks` runs these tests, in vitest (`*.test.ts`) and in both browsers (`*.spec.ts`), and
 * prints them beside the goals.
 */
export function startWalk(walker: Walker): Walk {
  const startedAt = performance.now();
  const effort: Effort = {};
  const add: Walk['add'] = (what, times = 1) => {
    effort[what] = (effort[what] ?? 0) + times;
  };
  return {
    add,
    counting: (tab) =>
      new Proxy(tab, {
        get(target, name: keyof Tab) {
          const member = target[name] as (...args: unknown[]) => unknown;
          return (...args: unknown[]) => {
            if (/^click/.test(name)) add('clicks');
            return member.apply(target, args);
          };
        },
      }),
    async end(where = '') {
      effort.seconds = (performance.now() - startedAt) / 1000;
      const file = process.env[walksFileVariable];
      if (file) await appendFile(file, `${JSON.stringify({ walker, where, effort })}\n`);
      for (const [what, most] of Object.entries(goals[walker] as Effort)) {
        const done = effort[what as keyof Effort] ?? 0;
        if (what !== 'seconds' && done > most)
          throw new Error(`${walkTitle}${walker}: at most ${most} ${what}, got ${done}`);
      }
      return effort;
    },
  };
}
