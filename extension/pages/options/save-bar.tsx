import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { valueAt } from '../../dotted-path.ts';
import { errorText } from '../../error-text.ts';
import { everySite } from '../../match-pattern.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { requestOrigins } from '../parts/host-permission.ts';
import { neededPatterns } from '../parts/used-addresses.ts';
import { firstProblem, focusFirstProblem, type SettingsForm } from './settings-form.ts';
import { useAllowed } from './use-allowed.ts';

/** Shows whether there are unsaved changes, and saves them. */
export function SaveBar({ form }: { form: SettingsForm }) {
  const { unsaved, problems, saving } = form;
  const [isAsked, setAsked] = useState(false);
  const saveButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!unsaved) setAsked(false);
  }, [unsaved]);
  const everywhere = valueAt(form.draft, 'sites.everywhere') === true;
  const patterns = everywhere ? [everySite] : neededPatterns(form.draft);
  const allowed = useAllowed(patterns);
  const isSaving = saving.step === 'saving';
  const wrong = useFirstProblem(problems);

  function save() {
    if (isSaving) return;
    if (problems.size > 0) return focusFirstProblem();
    // Not awaited: Firefox allows the request only directly in the click. Saving does not depend on it.
    if (!allowed) void requestOrigins(patterns);
    void form.save();
  }

  return (
    <footer class="save-bar" data-unsaved={unsaved}>
      {/* The question is above the Discard button, which stays at the page's end. */}
      {isAsked && unsaved && (
        <DestructiveQuestion
          id="discard-changes"
          question={text('options_discardQuestion')}
          yes={text('options_discardYes')}
          onYes={() => {
            form.discard();
            // The Discard button disappears with the changes.
            saveButton.current?.focus();
          }}
          onNo={() => setAsked(false)}
        />
      )}
      <div class="save-words" aria-live="polite">
        {saving.step === 'saved' && !unsaved && (
          <p id="saved" role="status">
            {text('options_saved')}
          </p>
        )}
        {saving.step === 'failed' && (
          <p class="problem" role="alert">
            {errorText(saving.error)} {saving.error.detail}
          </p>
        )}
        {unsaved && problems.size === 0 && saving.step === 'idle' && (
          <p id="unsaved">{text('options_unsaved')}</p>
        )}
        {problems.size > 0 && (
          <p class="problem" id="unsaved-problems">
            {text('options_problems', problems.size)}{' '}
            {wrong !== '' && (
              <button type="button" class="link" id="first-problem" onClick={focusFirstProblem}>
                {wrong}
              </button>
            )}
          </p>
        )}
      </div>
      {unsaved && (
        <button type="button" id="discard" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
          {text('options_discard')}
        </button>
      )}
      <button
        type="button"
        id="save"
        ref={saveButton}
        class="primary"
        // Not disabled, which would take the focus from an agent who works by keyboard.
        aria-disabled={isSaving}
        onClick={save}
      >
        {text('options_save')}
      </button>
    </footer>
  );
}

/** The name of the first field to correct, from its label; empty without such a field. */
function useFirstProblem(problems: SettingsForm['problems']): string {
  const [name, setName] = useState('');
  useLayoutEffect(() => {
    const field = problems.size > 0 ? firstProblem() : null;
    setName(field?.labels?.[0]?.textContent ?? field?.ariaLabel ?? '');
  }, [problems]);
  return name;
}
