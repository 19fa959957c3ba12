import { useEffect, useRef, useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import { neverRang } from '../../../shared/call/outcome.ts';
import type { Sheet, SheetItem } from '../../../shared/protocol/sheets.ts';
import { when } from '../../format.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';
import { text } from '../../text.ts';
import { DeliberateButton } from '../parts/deliberate-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { isFocusInUse } from '../parts/is-focus-in-use.ts';
import { KnownFacts, useKnownNumbers } from '../parts/known-number.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { useAction } from '../parts/use-action.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { useLatest } from '../parts/use-latest.ts';
import type { CallChoices } from '../parts/use-place-call.ts';
import { tryAgainMs, useChanges } from '../parts/use-reply.ts';

export interface SheetsProps {
  /** The newest call that was placed. */
  last: HistoryEntry | undefined;
  /** A call is being placed or under way. */
  isBusy: boolean;
  /** No call can be placed now: during a call, or for the reason that the panel shows above. */
  disabled: boolean;
  /** Resolves to the call's id if it was placed. */
  onDial(input: string, choices: CallChoices): Promise<string | undefined>;
}

interface Props extends SheetsProps {
  sheet: Sheet;
  onStop(): void;
}

/**
 * How often the claim is extended while the panel is open. The reply also has items that became due, and the sheet's
 * progress.
 */
const claimAgainMs = 60_000;

/** Shows one person at a time, claimed from the sheet after the last call is wrapped up. The call waits for a press. */
export function NextItem({ sheet, last, isBusy, disabled, onDial, onStop }: Props) {
  /** The id of the call for which the agent has chosen to give no outcome. */
  const [withoutOutcome, setWithoutOutcome] = useState<string>();
  const isOutcomeMissing = itemLacksOutcome(last) && last?.id !== withoutOutcome;
  const isWaiting = disabled || isOutcomeMissing;
  const { value: reply, reload } = useLatest(`${sheet.id} ${isWaiting}`, async () =>
    isWaiting ? undefined : sendRequest('page.claimItem', { sheet: sheet.id }),
  );
  // The agent has skipped the person, perhaps in the panel of another window.
  useChanges(['item'], reload);
  const everyMs = reply?.ok === false ? tryAgainMs : claimAgainMs;
  useEffect(() => {
    const timer = setInterval(() => void reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  const { item, display = '' } = (!isWaiting && reply?.ok && reply.value) || {};
  const shownBefore = useRef<number>(undefined);
  useEffect(() => {
    if (item) shownBefore.current = item.id;
  }, [item]);
  const shown = reply?.ok ? reply.value.sheet : sheet;
  const chosen = useKeptFocus<HTMLDivElement>('.sheet-progress');
  // The agent can leave a sheet even if the relay does not take the item back: the claim expires.
  const stop = useAction(async () => {
    if (item) await sendRequest('page.releaseItem', { sheet: sheet.id, id: item.id });
    onStop();
    return undefined;
  });

  async function call({ id, number, name, record }: SheetItem) {
    await onDial(number, { ...(name && { name }), record, item: { sheet: sheet.id, id } });
    // If the call was not placed, somebody else may have claimed the item.
    await reload();
  }

  return (
    <div class="chosen-sheet" ref={chosen}>
      <Progress sheet={shown} />
      {item && (
        <Item
          key={item.id}
          item={item}
          display={display}
          isNew={item.id !== shownBefore.current}
          onCall={() => void call(item)}
        />
      )}
      <p class="quiet" role="status">
        {isBusy && text('sheet_busy')}
        {!disabled && isOutcomeMissing && text('sheet_outcomeFirst')}
        {!isWaiting && !reply && text('page_loading')}
        {!isWaiting && reply?.ok && !item && nothingDue(reply.value.next)}
      </p>
      {!isWaiting && reply && !reply.ok && (
        <ErrorNotice
          error={reply.error}
          // A retry does not help if the sheet was deleted.
          {...(reply.error.code !== 'sheetGone' && { retry: () => void reload() })}
        />
      )}
      <div class="row">
        {!disabled && isOutcomeMissing && (
          <Button
            class="without-outcome"
            label={text('sheet_withoutOutcome')}
            onClick={() => setWithoutOutcome(last?.id)}
          />
        )}
        {item && <SkipItem key={item.id} sheet={sheet.id} id={item.id} onSkipped={reload} />}
        <Button
          class="plain stop-sheet"
          label={text('sheet_stop')}
          aria-disabled={stop.isRunning}
          onClick={() => void stop.run()}
        />
      </div>
    </div>
  );
}

const nothingDue = (next: string | undefined) =>
  next === undefined ? text('sheet_finished') : text('sheet_noneDue', when(next));

interface ItemProps {
  item: SheetItem;
  display: string;
  /** False for the item that was shown before. It does not take the focus from the answer to another call. */
  isNew: boolean;
  onCall(): void;
}

/** The button shows who is called. It does not change until the press (Law 3). */
function Item({ item, display, isNew, onCall }: ItemProps) {
  const { name = '', record } = item;
  const known = useKnownNumbers([display])(display);
  const [takesFocus] = useState(() => isNew && isAtCalls() && !isFocusInUse());
  return (
    <div class="next-item">
      <DeliberateButton id="next-item" class="primary" isFocused={takesFocus} onPress={onCall}>
        <Icon name="phone" />
        <span class="next-words">
          <bdi>{text('sheet_next', name || display)}</bdi>
          {name !== '' && <span class="number small">{display}</span>}
        </span>
      </DeliberateButton>
      <p class="small">
        {record && (
          <span class="quiet">
            {text('entry_record')} {recordLabel(record)}{' '}
          </span>
        )}
        <KnownFacts known={known} />
      </p>
    </div>
  );
}

/**
 * Whether the agent works on calls, and not elsewhere in the panel. A person may become due at any time, and a key that
 * was meant for another button would call.
 */
const isAtCalls = (): boolean =>
  document.activeElement?.matches('body, :is(#sheets, #live-call, .wrap-up, .dial) *') === true;

interface SkipProps {
  sheet: string;
  id: number;
  onSkipped(): Promise<unknown>;
}

/** Gives the item back to the sheet. The same item stays if the relay refuses, or if no other item is due. */
function SkipItem({ onSkipped, ...item }: SkipProps) {
  const [isOnlyOne, setOnlyOne] = useState(false);
  const skip = useAction(async () => {
    const { error } = await sendRequest('page.skipItem', item);
    if (error) return error;
    await onSkipped();
    // The button stays only if the same item came back.
    setOnlyOne(true);
    return undefined;
  });
  return (
    <>
      <Button
        class="skip-item"
        label={text('sheet_skip')}
        aria-disabled={skip.isRunning}
        onClick={() => void skip.run()}
      />
      <p class="help" role="status">
        {isOnlyOne && text('sheet_noOneElse')}
      </p>
      {skip.error && <ErrorNotice error={skip.error} />}
    </>
  );
}

/** How many items of a sheet are finished. */
export function Progress({ sheet: { id, name, total, counts } }: { sheet: Sheet }) {
  const finished = total - counts.open;
  return (
    <div class="sheet-progress" tabIndex={-1}>
      <strong id={`sheet-${id}`}>{name}</strong>
      <span class="quiet small">{text('sheet_progress', finished, total)}</span>
      <progress aria-labelledby={`sheet-${id}`} value={finished} max={total} />
    </div>
  );
}

/** Whether the newest call is of a sheet's item, its number may have rung, and the agent has chosen no outcome. */
function itemLacksOutcome(last: HistoryEntry | undefined): boolean {
  if (!last?.call.item || last.call.wrapUp?.outcome || !isFinished(last.call)) return false;
  return !neverRang(last.call);
}
