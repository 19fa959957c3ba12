/** Finds the other hosts that a page shows in frames. Our function runs in every frame that we may run in. */
import { maxFrameHosts } from '../../messages/pages.ts';
import { readSettings } from '../settings/settings-store.ts';
import { inFrames } from './in-frames.ts';
import { canBeTurnedOn } from './site-rules.ts';
import { grantedOrigins } from './sync-sites.ts';

/** What one frame that we run in reports: its own host, and the addresses of the frames that it shows. */
interface FrameReport {
  host: string;
  sources: readonly string[];
}

/** @returns the hosts in a tab's frames that could be turned on: not marked, not blocked, and in sight. */
export async function hostsToOffer(tabId: number): Promise<string[]> {
  const { settings, locked } = await readSettings();
  // The agent cannot add sites to a list that the organisation sets.
  if (locked.includes('sites.enabled')) return [];
  const granted = await grantedOrigins();
  const reports = (await inFrames(tabId, reportFrames)) ?? [];
  const hosts = framedHosts(reports.flatMap(({ result }) => result ?? []));
  return hosts.filter((host) => canBeTurnedOn(settings.sites, granted, host));
}

/** The hosts in frames, each once, at most as many as are shown. A frame with its page's own host does not count. */
export function framedHosts(reports: readonly FrameReport[]): string[] {
  const hosts = new Set<string>();
  for (const { host, sources } of reports)
    for (const source of sources) {
      if (!URL.canParse(source)) continue;
      const { protocol, hostname } = new URL(source);
      if (/^https?:$/.test(protocol) && hostname !== host) hosts.add(hostname);
    }
  return [...hosts].slice(0, maxFrameHosts);
}

/** Runs in the page, so it uses no other function. Leaves out hidden frames and frames too small to read. */
export function reportFrames(): FrameReport {
  const sources: string[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const frame of root.querySelectorAll<HTMLIFrameElement>('iframe[src], frame[src]')) {
      const { width, height } = frame.getBoundingClientRect();
      if (width >= 40 && height >= 20 && frame.checkVisibility({ visibilityProperty: true }))
        sources.push(frame.src);
    }
    // Searches open shadow roots only if the window has more frames than those above.
    if (root === document && window.length <= document.querySelectorAll('iframe, frame').length) return;
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) visit(element.shadowRoot);
  };
  visit(document);
  return { host: location.hostname, sources: sources.slice(0, 100) };
}
