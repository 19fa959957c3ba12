/** Where numbers are marked: the settings' sites as match patterns, and what the browser has to register. Pure. */
import { hostMatches } from '../../host-matches.ts';
import { everySite, patternOf } from '../../match-pattern.ts';
import type { SiteState } from '../../messages/views.ts';
import { maxExcludedNumbers, type Settings } from '../../settings.ts';

interface Registration {
  matches: string[];
  excludeMatches: string[];
}

type SiteSettings = Settings['sites'];

/** @param granted the origins of `permissions.getAll()`. @returns undefined where nothing is to be registered. */
export function desiredRegistration(
  sites: SiteSettings,
  granted: readonly string[],
): Registration | undefined {
  // If the setting wants all sites, but the browser did not grant them, the enabled sites that it granted are marked.
  const isEverywhere = sites.everywhere && covers(granted, everySite);
  const wanted = isEverywhere ? [everySite] : sites.enabled.map(patternOf);
  const matches = wanted.filter((pattern) => covers(granted, pattern)).sort();
  return matches.length === 0 ? undefined : { matches, excludeMatches: sites.blocked.map(patternOf).sort() };
}

/** What the browser reports of a registered script. */
type Registered = { [List in keyof Registration]?: string[] | undefined };

/** Whether the browser has registered what is desired. Lists are compared without their order. */
export function isRegistered(desired: Registration | undefined, registered: Registered | undefined): boolean {
  const listsOf = ({ matches = [], excludeMatches = [] }: Registered) =>
    JSON.stringify([matches, excludeMatches].map((list) => list.toSorted()));
  return desired && registered ? listsOf(desired) === listsOf(registered) : desired === registered;
}

/**
 * True where a page that has the registered script may not have the desired one. If nothing is registered, any page may
 * have a script of before.
 */
export function isNarrowed(registered: Registered | undefined, desired: Registration | undefined): boolean {
  if (!registered || !desired) return true;
  const { matches = [], excludeMatches = [] } = registered;
  const isKept = (pattern: string) =>
    desired.matches.includes(everySite) || desired.matches.includes(pattern);
  return (
    !matches.every(isKept) || !desired.excludeMatches.every((pattern) => excludeMatches.includes(pattern))
  );
}

/** @param host of a page. Blocked wins. */
export function siteState(sites: SiteSettings, host: string): SiteState {
  if (sites.blocked.some((rule) => hostMatches(rule, host))) return 'blocked';
  if (sites.everywhere || sites.enabled.some((rule) => hostMatches(rule, host))) return 'enabled';
  return 'default';
}

/** The sites with one host turned on, blocked or removed. A page's frames are removed with the page. */
export function withSite(sites: SiteSettings, host: string, state: SiteState): SiteSettings {
  const gone = new Set([host, ...(state === 'enabled' ? [] : framesOf(sites, host))]);
  const enabled = sites.enabled.filter((other) => !gone.has(other));
  const blocked = sites.blocked.filter((other) => other !== host);
  if (state === 'enabled') enabled.push(host);
  if (state === 'blocked') blocked.push(host);
  return { ...sites, enabled, blocked, frames: sites.frames.filter((frame) => !gone.has(frame.host)) };
}

/** The sites with these frames of a page turned on, or off again. Blocked hosts stay blocked. */
export function withFrames(
  sites: SiteSettings,
  change: { page: string; hosts: readonly string[]; isEnabled: boolean },
): SiteSettings {
  // Frames are kept with the rule that turned the page on, and are removed with that rule.
  const page = sites.enabled.find((rule) => hostMatches(rule, change.page)) ?? change.page;
  const changed = change.hosts.filter((host) =>
    change.isEnabled
      ? siteState(sites, host) === 'default'
      : sites.frames.some((frame) => frame.page === page && frame.host === host),
  );
  const enabled = sites.enabled.filter((host) => !changed.includes(host));
  const frames = sites.frames.filter(({ host }) => !changed.includes(host));
  if (!change.isEnabled) return { ...sites, enabled, frames };
  return {
    ...sites,
    enabled: [...enabled, ...changed],
    frames: [...frames, ...changed.map((host) => ({ page, host }))],
  };
}

const framesOf = (sites: SiteSettings, page: string): string[] =>
  sites.frames.filter((frame) => frame.page === page).map(({ host }) => host);

/** The host of a page's address. It is empty for files. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

type ExcludedNumber = SiteSettings['excludedNumbers'][number];

/** Excludes a number from marking on a host. If `isExcluded` is false, includes it again. */
export function withExcludedNumber(
  sites: SiteSettings,
  entry: ExcludedNumber,
  isExcluded: boolean,
): SiteSettings {
  const others = sites.excludedNumbers.filter(
    ({ host, number }) => host !== entry.host || number !== entry.number,
  );
  return { ...sites, excludedNumbers: isExcluded ? [...others, entry].slice(-maxExcludedNumbers) : others };
}

/** The numbers, as displayed, that are not to be marked on this host. */
export function numbersExcludedOn(sites: SiteSettings, host: string): ReadonlySet<string> {
  return new Set(
    sites.excludedNumbers.filter((entry) => hostMatches(entry.host, host)).map(({ number }) => number),
  );
}

/** The enabled hosts on which the browser does not let us run, or not any more. */
export function missingPermission(sites: SiteSettings, granted: readonly string[]): string[] {
  return sites.enabled.filter((host) => !covers(granted, patternOf(host)));
}

/**
 * True for a host that is neither blocked nor marked already. Either it is not among the sites, or the browser does not
 * let us run on it.
 */
export function canBeTurnedOn(sites: SiteSettings, granted: readonly string[], host: string): boolean {
  const state = siteState(sites, host);
  return state === 'default' || (state === 'enabled' && !covers(granted, patternOf(host)));
}

/** True where a granted pattern includes the wanted one. Both browsers may have widened or split what was granted. */
function covers(granted: readonly string[], wanted: string): boolean {
  const host = hostOfPattern(wanted);
  const schemes = new Set<string>();
  for (const pattern of granted) {
    if (pattern === '<all_urls>') return true;
    const match = /^(\*|https?):\/\/([^/]+)\//.exec(pattern);
    if (!match) continue;
    const [, scheme, grantedHost] = match;
    const includes =
      grantedHost === '*' ||
      grantedHost === host ||
      (host !== '*' && hostMatches(grantedHost!, host.replace(/^\*\./, '')));
    if (!includes) continue;
    if (scheme === '*') return true;
    schemes.add(scheme!);
  }
  return schemes.has('http') && schemes.has('https');
}

function hostOfPattern(pattern: string): string {
  return /^\*:\/\/([^/]+)\//.exec(pattern)?.[1] ?? pattern;
}
