/**
 * axe-core on an extension page, in either browser: run as the driver's own script, which the page's policy
 * does not bind.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tab } from '../browsers/browser.ts';

export const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Everything that axe finds wrong, one line each; empty where the page is clean. Of one part of a page where
 * `below` selects it. The overlay is a stop before the page's own, wherever it is in the page's tree: a tabindex
 * above 0 is the only way to that, and is allowed to the overlay alone.
 */
export async function axeViolations(
  tab: Tab,
  below?: string,
  withoutRules: readonly string[] = [],
): Promise<string[]> {
  // Half a megabyte: once a page.
  if (!(await tab.evaluate('globalThis.axe !== undefined'))) await tab.evaluate(`(() => { ${axeSource} })()`);
  const violations = await tab.evaluate<Violation[]>(`(async () => {
    const below = ${JSON.stringify(below ?? null)};
    const rules = Object.fromEntries(${JSON.stringify(withoutRules)}.map((rule) => [rule, { enabled: false }]));
    const { violations } = await axe.run(below ?? document, { resultTypes: ['violations'], rules });
    return violations.map(({ id, nodes }) => ({
      id, nodes: nodes
        .filter(({ html }) => id !== 'tabindex' || !html.startsWith('<dialmark-overlay'))
        .map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  })()`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary.replaceAll('\n', ' ')}`),
  );
}
