import type { WidgetLanguage } from '../texts.ts';

/**
 * Accepts only http and https addresses, whatever the notification contains.
 * @returns `isPlayable` false for an http recording in an https page, since browsers would not play it.
 */
export function recordingLink(
  address: string,
  pageProtocol: string,
): { href: string; host: string; isPlayable: boolean } | undefined {
  if (address.length > 2048 || !URL.canParse(address)) return undefined;
  const { protocol, href, host } = new URL(address);
  if (!/^https?:/.test(protocol)) return undefined;
  return { href, host, isPlayable: protocol === 'https:' || pageProtocol !== 'https:' };
}

/**
 * A player if the page can play the recording, and a link to it. If the address is not http or https, a text without a
 * link.
 */
export function RecordingPlayer(props: { address: string; pageProtocol: string; language: WidgetLanguage }) {
  const { texts } = props.language;
  const link = recordingLink(props.address, props.pageProtocol);
  return (
    <div part="recording">
      {link?.isPlayable && (
        // biome-ignore lint/a11y/useMediaCaption: a telephone recording has no captions.
        <audio controls preload="none" src={link.href} aria-label={texts.recording} onError={showNote} />
      )}
      {link ? (
        <a href={link.href} target="_blank" rel="noopener noreferrer">
          {texts.recording} (<bdi>{link.host}</bdi>)
        </a>
      ) : (
        texts.recording
      )}
      <p class="note" hidden={link?.isPlayable}>
        {texts.recordingFailed}
      </p>
    </div>
  );
}

/** The page's policy may forbid media of other hosts. The widget learns that only by trying. */
function showNote({ currentTarget }: Event) {
  const player = currentTarget as HTMLElement;
  player.hidden = true;
  (player.parentElement!.lastElementChild as HTMLElement).hidden = false;
}
