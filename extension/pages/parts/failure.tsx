import type { Refusal } from '../../messages.ts';
import { text } from '../../text.ts';
import { errorText } from './error-text.ts';

export function Failure({ error, retry }: { error: Refusal; retry?: () => void }) {
  return (
    <div class="notice notice-bad" role="alert">
      <p>{errorText(error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          {text('page_tryAgain')}
        </button>
      )}
    </div>
  );
}
