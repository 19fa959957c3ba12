import { useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';
import { DestructiveQuestion } from './destructive-question.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Button } from './form.tsx';
import { useAction } from './use-action.ts';

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
  /** Resolves to the reason of a failure, which is then shown. The button asks again only afterwards. */
  onYes(): Promise<Refusal | undefined>;
}

/** A button whose action destroys something: it asks first. */
export function AskedButton({ questionId, question, consequence, yes, onYes, ...button }: Props) {
  const [isAsked, setAsked] = useState(false);
  const { isRunning, error, run } = useAction(onYes);
  const answer = (isYes: boolean) => {
    setAsked(false);
    if (isYes) void run();
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
      {error && <ErrorNotice error={error} />}
    </>
  );
}
