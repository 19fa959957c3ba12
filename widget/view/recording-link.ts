/** Where a recording may be heard from: only the web's own addresses become a link, whatever the notification says. */
export interface RecordingLink {
  href: string;
  host: string;
  /** False where the page is https and the recording http: browsers would not play it inside. */
  playable: boolean;
}

export function recordingLink(address: string, pageProtocol: string): RecordingLink | undefined {
  if (address.length > 2048 || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return { href: url.href, host: url.host, playable: url.protocol === 'https:' || pageProtocol !== 'https:' };
}
