import { useState } from 'preact/hooks';
import { newCallId } from '../../../shared/call/call.ts';
import type { MadeSheet } from '../../../shared/protocol/sheets.ts';
import type { NumberOnPage } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button, InputField } from '../parts/form.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { useAction } from '../parts/use-action.ts';

/** The ticks in the page's list of numbers. All numbers are ticked when the agent begins a sheet. */
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

/** Makes a call sheet of the ticked rows. An item gets the page's own record, or the record that its row links to. */
export function MakeSheet({ ticked, isTicking, onBegin, onEnd }: Props) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<MadeSheet>();
  return (
    <>
      {!isTicking && (
        <Button
          id="make-sheet"
          class="plain"
          label={text('sheet_make')}
          onClick={() => {
            setMade(undefined);
            onBegin();
          }}
        />
      )}
      {isTicking && (
        <SheetNameForm
          ticked={ticked}
          name={name}
          onName={setName}
          onMade={(sheet) => {
            setMade(sheet);
            setName('');
            onEnd();
          }}
          onCancel={onEnd}
        />
      )}
      <p class="small" role="status" id="sheet-made">
        {made && text('sheet_made', made.sheet.name, made.sheet.total)}
        {made && made.unreadable + made.repeated > 0 && (
          <> {text('sheet_leftOut', made.unreadable + made.repeated)}</>
        )}
      </p>
    </>
  );
}

interface SheetNameFormProps {
  ticked: readonly NumberOnPage[];
  name: string;
  onName(name: string): void;
  onMade(sheet: MadeSheet): void;
  onCancel(): void;
}

function SheetNameForm({ ticked, name, onName, onMade, onCancel }: SheetNameFormProps) {
  // The sheet of a late reply may already exist. With the same id, a second save makes no second sheet.
  const [id] = useState(newCallId);
  const save = useAction(async () => {
    const items = ticked.map(({ number, name: nameBeside, record }) => ({
      number: number.display,
      ...(nameBeside !== undefined && { name: nameBeside.slice(0, 200) }),
      ...(record && { record }),
    }));
    const reply = await sendRequest('page.makeSheet', { id, name: name.trim(), items });
    if (reply.ok) onMade(reply.value);
    return reply.error;
  });
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <InputField
          id="sheet-name"
          label={text('sheet_name')}
          value={name}
          onText={onName}
          input={{ maxLength: 100 }}
        />
        <div class="row">
          <Button
            id="save-sheet"
            type="submit"
            label={text('sheet_save', ticked.length)}
            disabled={name.trim() === '' || ticked.length === 0}
            // Not disabled, which would take the focus from an agent who works by keyboard.
            aria-disabled={save.isRunning}
          />
          <Button label={text('page_cancel')} onClick={onCancel} />
        </div>
      </form>
      {save.error && <ErrorNotice error={save.error} />}
    </>
  );
}
