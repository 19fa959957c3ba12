/** The rules that came with the settings; empty until then. */
import type { PageRules } from '../page-rules.ts';

const read = (rules: Partial<PageRules>) => ({
  ...rules,
  inline: new Set(rules.inline),
  untouchable: new Set(rules.untouchable),
});

export let rules = read({});

export function setPageRules(sent: PageRules): void {
  rules = read(sent);
}
