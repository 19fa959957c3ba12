import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { useFocusReturn } from './use-focus-return.ts';

/** A click this soon after the question appeared was meant for something else. */
const ignoreClicksMs = 500;

interface Props {
  id: string;
  question: string;
  /** What will be lost. */
  consequence?: string;
  yes: string;
  no?: string;
  onYes(): void;
  onNo(): void;
}

/**
 * Asks before something is destroyed. To be placed so that the button that raised it stays where it is: the pointer is
 * never over the answer. The safe answer has the focus, and Escape gives it. After any answer the focus returns to
 * where it was. The yes can be pressed half a second later, and once.
 */
export function DestructiveQuestion({ id, question, consequence, yes, no, onYes, onNo }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(performance.now());
  const isAnswered = useRef(false);
  const [isPressable, setPressable] = useState(false);
  const returnFocus = useFocusReturn();
  const keep = () => {
    returnFocus();
    onNo();
  };
  // Before the first frame: a key pressed in between would still go to the button that raised the question.
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
            // The event's own time: a click that waited for a busy page was made before the question was seen.
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
          {no ?? text('page_cancel')}
        </button>
      </div>
    </div>
  );
}
