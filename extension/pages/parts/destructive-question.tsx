import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { useFocusReturn } from './use-focus-return.ts';

/** How long the yes is ignored after the question appeared: the click was meant for something else. */
const ignoreClicksMs = 500;

interface Props {
  id: string;
  question: string;
  /** What will be lost. */
  consequence?: string;
  yes: string;
  onYes(): void;
  onNo(): void;
}

/**
 * Asks before something is destroyed. Place it so that the button that raised it does not move: then the pointer is
 * never over the answer. The safe answer has the focus, and Escape chooses it. After any answer the focus returns to
 * its element. The yes works after half a second, and only once.
 */
export function DestructiveQuestion({ id, question, consequence, yes, onYes, onNo }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(performance.now());
  const isAnswered = useRef(false);
  const [isPressable, setPressable] = useState(false);
  const returnFocus = useFocusReturn();
  const keep = () => {
    returnFocus();
    onNo();
  };
  // Before the first frame: otherwise a key would still press the button that raised the question.
  useLayoutEffect(() => safe.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => setPressable(true), ignoreClicksMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      class="notice notice-bad"
      role="alertdialog"
      id={id}
      aria-labelledby={`${id}-question`}
      onKeyDown={(event) => event.key === 'Escape' && keep()}
    >
      <p id={`${id}-question`}>
        <strong>{question}</strong>
      </p>
      {consequence !== undefined && <p>{consequence}</p>}
      <div class="row">
        <button
          type="button"
          class="destructive"
          id={`${id}-yes`}
          disabled={!isPressable}
          onClick={(event) => {
            // Uses the event's own time. If the page was busy, the click may be older than the question on the screen.
            if (isAnswered.current || event.timeStamp - shownAt.current < ignoreClicksMs) return;
            isAnswered.current = true;
            setPressable(false);
            returnFocus();
            onYes();
          }}
        >
          {yes}
        </button>
        <button type="button" id={`${id}-no`} ref={safe} onClick={keep}>
          {text('page_cancel')}
        </button>
      </div>
    </div>
  );
}
