/**
 * All states of a page at once, each in a frame: `?page=popup&theme=dark&width=320&zoom=2`. Without `page` it shows
 * every page. With `&lang=es` it shows one language instead of all in turn.
 */
import { languages } from '../text.ts';
import { pageStates, stateAddress } from './states.ts';

const asked = new URLSearchParams(location.search);
const page = asked.get('page');
const zoom = Number(asked.get('zoom') ?? 1);

pageStates
  .filter((state) => page === null || state.page === page)
  .forEach((state, index) => {
    const language = asked.get('lang') ?? languages[index % languages.length]!;
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const frame = document.createElement('iframe');
    caption.textContent = frame.title = page === null ? `${state.page}: ${state.name}` : state.name;
    frame.loading = page === null ? 'lazy' : 'eager';
    frame.width = asked.get('width') ?? '320';
    frame.src = stateAddress(state, asked.get('theme') ?? 'light', language);
    frame.onload = () => void showState(frame);
    figure.append(caption, frame);
    document.body.append(figure);
  });

/** Once its state is reached, the whole page is in sight. */
async function showState(frame: HTMLIFrameElement): Promise<void> {
  const { documentElement: root } = frame.contentDocument!;
  root.style.fontSize = `${100 * zoom}%`;
  while (root.dataset.reached === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  frame.style.blockSize = `${root.scrollHeight + 2}px`;
  frame.dataset.shown = 'yes';
}
