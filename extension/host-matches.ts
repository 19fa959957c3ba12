/** @param rule for a site: a host, or `*.example` for a domain and every host below it. */
export function hostMatches(rule: string, host: string): boolean {
  return rule.startsWith('*.') ? host === rule.slice(2) || host.endsWith(rule.slice(1)) : host === rule;
}
