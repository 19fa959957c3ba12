import { useState } from 'preact/hooks';
import { newCallId } from '../../../shared/call/call.ts';
import type { MadeSheet } from '../../../shared/protocol/sheets.ts';
import type { Refusal } from '../../messages/result.ts';
import type { NumberOnPage } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button, InputField } from '../parts/form.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Which numbers of the page's list are ticked; undefined while no sheet is made. */
export function useTicks(numbers: readonly NumberOnPage[]) {
  const [unticked, setUnticked] = useState<ReadonlySet<string>>();
  const isTicked = ({ number }: NumberOnPage) => unticked?.has(number.display) === false;
  return {
    isTicking: unticked !== undefined,
    begin: () => setUnticked(new Set()),
    end: () => setUnticked(undefined),
    isTicked,
    tick: ({ number: { display } }: NumberOnPage, isOn: boolean) =>
      setUnticked((before = new Set()) => {
        const after = new Set(before);
        if (isOn) after.delete(display);
        else after.add(display);
        return after;
      }),
    ticked: numbers.filter(isTicked),
  };
}

interface Props {
  ticked: readonly NumberOnPage[];
  isTicking: boolean;
  onBegin(): void;
  onEnd(): void;
}

/** Makes a call sheet of the rows that are ticked, each with its record where the page links to one. */
export function MakeSheet({ ticked, isTicking, onBegin, onEnd }: Props) {
  // A sheet whose reply was late may have been made: saved again, it is the same one.
  const [id, setId] = useState(newCallId);
  const [name, setName] = useState('');
  const [made, setMade] = useState<MadeSheet>();
  const [error, setError] = useState<Refusal>();
  const [isSaving, setSaving] = useState(false);

  async function save(event: Event) {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    setError(undefined);
    const items = ticked.map(({ number, context, record }) => ({
      number: number.display,
      ...(context && { name: context.slice(0, 200) }),
      ...(record && { record }),
    }));
    const reply = await sendRequest('page.makeSheet', { id, name: name.trim(), items });
    setSaving(false);
    setError(reply.error);
    if (!reply.ok) return;
    setMade(reply.value);
    setName('');
    onEnd();
  }

  return (
    <>
      {!isTicking && (
        <Button
          id="make-sheet"
          class="plain"
          label={text('sheet_make')}
          onClick={() => {
            setId(newCallId());
            setMade(undefined);
            setError(undefined);
            onBegin();
          }}
        />
      )}
      {isTicking && (
        <form class="stack" onSubmit={(event) => void save(event)}>
          <InputField
            id="sheet-name"
            label={text('sheet_name')}
            value={name}
            onText={setName}
            input={{ maxLength: 100 }}
          />
          <div class="row">
            <Button
              id="save-sheet"
              type="submit"
              label={text('sheet_save', ticked.length)}
              disabled={name.trim() === '' || ticked.length === 0}
              // Not disabled, which would take the focus from an agent who works by keyboard.
              aria-disabled={isSaving}
            />
            <Button label={text('page_cancel')} onClick={onEnd} />
          </div>
        </form>
      )}
      {isTicking && error && <ErrorNotice error={error} />}
      <p class="small" role="status" id="sheet-made">
        {made && text('sheet_made', made.sheet.name, made.sheet.total)}
        {made && made.unreadable + made.repeated > 0 && (
          <> {text('sheet_leftOut', made.unreadable + made.repeated)}</>
        )}
      </p>
    </>
  );
}
