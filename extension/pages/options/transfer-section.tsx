import { useEffect, useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { saveFile } from '../parts/save-file.ts';
import { ForgetHistory } from './forget-history.tsx';
import { useForm } from './settings-form.ts';
import { exportSettings, type ImportResult, importSettings } from './transfer.ts';

/** Exports and imports settings, without keys, tokens and history. Imported settings are unsaved until Save. */
export function TransferSection() {
  const { view, draft, change, unsaved } = useForm();
  const [result, setResult] = useState<ImportResult>();
  // After Save or Discard, no imported change is left to review.
  useEffect(() => {
    if (!unsaved) setResult(undefined);
  }, [unsaved]);

  async function read(file: File | undefined) {
    if (!file) return;
    const imported = importSettings(await file.text(), draft, view.locked);
    setResult(imported);
    if (imported.ok) change(imported.changes);
  }

  return (
    <>
      <p class="quiet">{text('options_transferIntro')}</p>
      <div class="row">
        <Button
          id="export-settings"
          label={text('options_export')}
          onClick={() =>
            saveFile('dialmark-settings.json', 'application/json', exportSettings(view.settings))
          }
        />
        <label class="button" for="import-settings">
          {text('options_import')}
        </label>
        <input
          id="import-settings"
          class="visually-hidden"
          type="file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => {
            void read(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </div>
      <div id="import-result" role="status">
        {result?.ok === true && (
          <p class="notice notice-good">
            {text(Object.keys(result.changes).length === 0 ? 'options_importedSame' : 'options_imported')}
          </p>
        )}
        {result?.ok === false && (
          <div class="notice notice-bad">
            <p>{text('options_importFailed')}</p>
            {result.problems.map((problem) => (
              <p key={problem.path ?? ''} class="small">
                {problem.path !== undefined && <code>{problem.path}</code>} {text(problem.text)}
              </p>
            ))}
          </div>
        )}
      </div>
      <ForgetHistory />
    </>
  );
}
