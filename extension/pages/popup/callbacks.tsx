import { useCallback, useState } from 'preact/hooks';
import type { Call } from '../../../shared/call/call.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import type { WrapUpRequest } from '../../../shared/record/wrap-up.ts';
import { when } from '../../format.ts';
import type { Refusal } from '../../messages/result.ts';
import type { KnownNumber } from '../../messages/views.ts';
import type { Callback } from '../../messages/wrap-up.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button, InputField } from '../parts/form.tsx';
import { CalleeName, isForbidden, KnownFacts, useKnownNumbers } from '../parts/known-number.tsx';
import { RecordLink } from '../parts/log-entry.tsx';
import { redialChoices, redialInput } from '../parts/redial-input.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useAction } from '../parts/use-action.ts';
import { useFocusReturn } from '../parts/use-focus-return.ts';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';
import type { CallChoices } from '../parts/use-place-call.ts';
import { useLastRead, useReply, useVisibleInterval } from '../parts/use-reply.ts';
import { laterThan } from '../parts/wrap-up-form.ts';

/** How often the list is read again. No event reports a colleague's callback while no call is followed. */
const readAgainMs = 30_000;

/** `id`: the callback whose change failed. */
interface ShownError {
  reason: Refusal;
  id: string;
}

interface Props {
  disabled: boolean;
  onDial(input: string, choices: CallChoices): void;
  /** Puts the digits of a colleague's callback into the dial field, for the agent to check. */
  onFill(callback: Callback): void;
}

/** Calls to be repeated, the earliest first. Without any it shows nothing. Only a relay has them. */
export function Callbacks({ disabled, onDial, onFill }: Props) {
  const [callbacks, replace, reload] = useReply('page.callbacks', {}, ['calls', 'settings']);
  const [error, setError] = useState<ShownError>();
  // While the relay is away, the last list stays, with the text that is typed into it.
  const lastRead = useLastRead(callbacks);
  const shown = lastRead.current ?? [];
  const knownOf = useKnownNumbers(shown.map(({ display }) => display));
  const readAgain = useCallback(async () => {
    const now = await reload();
    if (!now?.ok) return;
    // The reason why a change failed stays while its callback is in the list.
    const isListed = (id: string) => now.value?.some(({ call }) => call.id === id);
    setError((before) => (before && isListed(before.id) ? before : undefined));
  }, [reload]);
  useVisibleInterval(readAgainMs, readAgain);
  const isEmpty = callbacks.state === 'ready' && shown.length === 0;
  if (isEmpty && !error) return null;
  // The error is shown beside the pressed button: the top of a long list may be out of sight.
  const errorOf = (id: string) => (error?.id === id ? error.reason : undefined);
  const isOfRow = shown.some(({ call }) => errorOf(call.id));
  // If the relay is away, the change and the list fail for the same reason.
  const isSame = callbacks.state === 'error' && callbacks.error.code === error?.reason.code;
  const listError = callbacks.state === 'error' && !isSame ? callbacks.error : undefined;
  const problem = isOfRow ? listError : (error?.reason ?? listError);

  async function change({ call: { id, wrapUp } }: Callback, changes: WrapUpRequest): Promise<void> {
    setError(undefined);
    const revision = wrapUp?.revision ?? 0;
    const reply = await sendRequest('page.wrapUp', { callId: id, revision, ...changes });
    // The next change is based on this one, even if the list cannot be read.
    if (reply.ok) replace(withSaved(lastRead.current ?? [], reply.value.call, changes));
    // Somebody else may have changed the callback. The list then shows the present state.
    await readAgain();
    if (!reply.ok) setError({ reason: reply.error, id });
    else if (reply.value.isOutdated && !hasChanges(reply.value.call.wrapUp, changes))
      setError({ reason: { code: 'outdated' }, id });
  }

  return (
    <section class="card" id="callbacks" aria-labelledby="callbacks-title">
      <h2 id="callbacks-title">{text('callbacks_title')}</h2>
      {callbacks.state === 'loading' && <p class="quiet">{text('page_loading')}</p>}
      {problem && <ErrorNotice error={problem} />}
      {shown.length > 0 && (
        <ul class="callbacks">
          {shown.map((callback) => (
            <CallbackRow
              key={callback.call.id}
              callback={callback}
              known={knownOf(callback.display)}
              disabled={disabled}
              error={errorOf(callback.call.id)}
              onCall={() =>
                callback.isOwn ? onDial(redialInput(callback), redialChoices(callback)) : onFill(callback)
              }
              onChange={(changes) => change(callback, changes)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The list after a change, without a callback that is done or handed over. */
function withSaved(list: readonly Callback[], saved: Call, changes: WrapUpRequest): Callback[] {
  const isHandedOver = changes.callBackBy !== undefined && hasChanges(saved.wrapUp, changes);
  if (!saved.wrapUp?.callBackAt || isHandedOver) return list.filter(({ call }) => call.id !== saved.id);
  return list.map((each) => (each.call.id === saved.id ? { ...each, call: saved } : each));
}

/** Whether the changes are saved, perhaps by an earlier try of the same request. */
const hasChanges = (saved: WrapUp | undefined, changes: WrapUpRequest): boolean =>
  Object.entries(changes).every(([field, value]) => (saved?.[field as keyof WrapUp] ?? null) === value);

interface RowProps {
  callback: Callback;
  known: KnownNumber;
  disabled: boolean;
  /** Why the last change failed. */
  error: Refusal | undefined;
  onCall(): void;
  /** Resolves after the list was read again. */
  onChange(changes: WrapUpRequest): Promise<void>;
}

function CallbackRow({ callback, known, disabled, error, onCall, onChange }: RowProps) {
  const { call, display, name = known.name } = callback;
  const { callBackAt = call.createdAt, note = '' } = call.wrapUp ?? {};
  const [isHandingOver, setHandingOver] = useState(false);
  // One change at a time, since each is based on what the row shows.
  const { isRunning, run } = useAction(async (changes: WrapUpRequest) => {
    await onChange(changes);
    return undefined;
  });
  const named = (action: string) => `${action}: ${display}`;
  // The focus does not go to the button that calls: a second Enter would call somebody else.
  const row = usePassFocusOn<HTMLLIElement>('.done', 'dial-input');
  return (
    <li ref={row} class="callback" data-id={call.id}>
      <span>
        <strong>
          <CalleeName display={display} name={name} />
        </strong>{' '}
        <DueTime callBackAt={callBackAt} />
      </span>
      {call.record && (
        <span class="small">
          <RecordLink record={call.record} />
        </span>
      )}
      {note !== '' && <p class="quiet small callback-note">{note}</p>}
      <span class="small">
        <KnownFacts known={known} />
      </span>
      <div class="row">
        {!isForbidden(known) && (
          <Button
            class="call-back"
            icon="phone"
            label={text('popup_call')}
            aria-label={text('page_callNumber', display)}
            disabled={disabled}
            onClick={onCall}
          />
        )}
        <Button
          class="later"
          label={text('callbacks_later')}
          aria-label={named(text('callbacks_later'))}
          aria-disabled={isRunning}
          onClick={() => void run({ callBackAt: laterThan(callBackAt, Date.now()) })}
        />
        <Button
          class="done"
          label={text('callbacks_done')}
          aria-label={named(text('callbacks_done'))}
          aria-disabled={isRunning}
          onClick={() => void run({ callBackAt: null })}
        />
        <Button
          class="plain hand-over"
          label={text('callbacks_handOver')}
          aria-label={named(text('callbacks_handOver'))}
          aria-expanded={isHandingOver}
          onClick={() => setHandingOver(!isHandingOver)}
        />
      </div>
      {isHandingOver && (
        <HandOver
          id={call.id}
          isRunning={isRunning}
          onChoose={(callBackBy) => void run({ callBackBy })}
          onCancel={() => setHandingOver(false)}
        />
      )}
      {error && <ErrorNotice error={error} />}
    </li>
  );
}

function DueTime({ callBackAt }: { callBackAt: string }) {
  const isDue = Date.parse(callBackAt) <= Date.now();
  return (
    <span role="status" class={isDue ? 'small due' : 'small quiet'}>
      {isDue ? text('callbacks_due', when(callBackAt)) : when(callBackAt)}
    </span>
  );
}

interface HandOverProps {
  id: string;
  isRunning: boolean;
  onChoose(extension: string): void;
  onCancel(): void;
}

/** Asks which colleague gets the callback. Escape cancels. */
function HandOver({ id, isRunning, onChoose, onCancel }: HandOverProps) {
  const [extension, setExtension] = useState('');
  const returnFocus = useFocusReturn();
  return (
    <form
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        returnFocus();
        onCancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(extension);
      }}
    >
      <InputField
        id={`colleague-${id}`}
        label={text('callbacks_colleague')}
        value={extension}
        onText={(typed) => setExtension(typed.trim())}
      >
        <Button
          type="submit"
          label={text('callbacks_handOver')}
          disabled={extension === ''}
          aria-disabled={isRunning}
        />
      </InputField>
    </form>
  );
}
