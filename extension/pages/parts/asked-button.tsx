import { useState } from 'preact/hooks';
import { DestructiveQuestion } from './destructive-question.tsx';
import { Button } from './form.tsx';

interface Props {
  /** The button's id. The ids of the question's elements begin with `questionId`. */
  id?: string;
  class?: string;
  label: string;
  /** The button's name for screen readers, if several buttons have the same label. */
  'aria-label'?: string;
  questionId: string;
  question: string;
  consequence?: string;
  yes: string;
  /** Whether the last confirmed action still runs. The button asks again only after it. */
  isRunning?: boolean;
  onYes(): void;
}

/** A button whose action destroys something: it asks first. */
export function AskedButton({ questionId, question, consequence, yes, isRunning, onYes, ...button }: Props) {
  const [isAsked, setAsked] = useState(false);
  const answer = (isYes: boolean) => {
    setAsked(false);
    if (isYes) onYes();
  };
  return (
    <>
      <Button
        {...button}
        aria-expanded={isAsked}
        aria-disabled={isRunning}
        onClick={() => isRunning || setAsked(!isAsked)}
      />
      {isAsked && (
        <DestructiveQuestion
          id={questionId}
          question={question}
          {...(consequence !== undefined && { consequence })}
          yes={yes}
          onYes={() => answer(true)}
          onNo={() => answer(false)}
        />
      )}
    </>
  );
}
