import type { Refusal } from '../../messages/result.ts';
import { isTextKey, text } from '../../text.ts';
import { Button } from './form.tsx';
import { withNumbers } from './with-numbers.ts';

/** One sentence that says what to do. The guard's reason is a sentence already. */
export function errorText({ code, detail }: Refusal): string {
  if (code === 'confirmFirst' && detail) return detail;
  const key = `error_${code}`;
  return isTextKey(key) ? text(key, detail ?? '') : text('error_internal');
}

export function ErrorNotice({ error, retry }: { error: Refusal; retry?: () => void }) {
  return (
    <div class="notice notice-bad" role="alert">
      <p>{withNumbers(errorText(error))}</p>
      {retry && <Button label={text('page_tryAgain')} onClick={retry} />}
    </div>
  );
}
