import type { Language } from '../words/language.ts';
import { recordingLink } from './recording-link.ts';

/** A player where the page may play it, and always a link; an address that is none of the web's is only named. */
export function Recording(props: { address: string; pageProtocol: string; language: Language }) {
  const { words } = props.language;
  const link = recordingLink(props.address, props.pageProtocol);
  return (
    <div part="recording">
      {link?.playable && (
        // biome-ignore lint/a11y/useMediaCaption: a telephone recording has no captions.
        <audio controls preload="none" src={link.href} aria-label={words.recording} onError={showNote} />
      )}
      {link ? (
        <a href={link.href} target="_blank" rel="noopener noreferrer">
          {words.recording} (<bdi>{link.host}</bdi>)
        </a>
      ) : (
        words.recording
      )}
      <p class="note" hidden={link?.playable}>
        {link ? words.recordingFailed : words.recordingRefused}
      </p>
    </div>
  );
}

/** The page's own policy may forbid media of other hosts; only trying tells. */
function showNote({ currentTarget }: Event) {
  const player = currentTarget as HTMLElement;
  player.hidden = true;
  (player.parentElement!.lastElementChild as HTMLElement).hidden = false;
}
