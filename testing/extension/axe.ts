/** Runs axe-core on a page in either browser. The page's content security policy does not bind a driver's script. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tab } from '../browsers/browser.ts';

export const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Lists what axe finds wrong in a page, or in the part that `below` selects. Only our overlay may have a tabindex above
 * 0. The keyboard must reach it before the page's own elements, wherever it is in the page's tree.
 */
export async function axeViolations(
  tab: Tab,
  below?: string,
  withoutRules: readonly string[] = [],
): Promise<string[]> {
  // Half a megabyte, so only once for each page.
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
