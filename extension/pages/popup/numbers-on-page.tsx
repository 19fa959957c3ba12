import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecordKey } from '../../../shared/record/template.ts';
import { maxListedNumbers } from '../../messages/fields.ts';
import type { KnownNumber, NumberOnPage } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';
import { text } from '../../text.ts';
import { Button, IconButton } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { isForbidden, KnownFacts, useKnownNumbers } from '../parts/known-number.tsx';
import { openSetting } from '../parts/open-settings.ts';
import { sendRequest } from '../parts/send-request.ts';
import { withNumbers } from '../parts/unbroken-numbers.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { useLatest } from '../parts/use-latest.ts';
import { useChanges, useReply, useTabChanges } from '../parts/use-reply.ts';
import { MakeSheet, useTicks } from './make-sheet.tsx';

interface Props {
  tabId: number;
  disabled: boolean;
  /** Whether the page itself shows a record. Every call from the list is then about it. */
  showsRecord: boolean;
  /** Whether the agent may exclude numbers. Not if the organisation has set the excluded numbers. */
  mayExclude: boolean;
  onDial(number: NumberOnPage): void;
}
/** A number as it is marked on the page, and the host that it is on. */
interface Marked {
  number: string;
  host: string;
}

/** The numbers on the page, each once, with the words around them. */
export function NumbersOnPage({ tabId, disabled, showsRecord, mayExclude, onDial }: Props) {
  const { shown, isUnreadable, excluded, exclude } = useNumbersOnPage(tabId);
  const [sheets] = useReply('page.sheets', {}, ['settings']);
  const ticks = useTicks(shown ?? []);
  const knownOf = useKnownNumbers(shown?.map(({ number }) => number.display) ?? []);
  const section = useKeptFocus<HTMLElement>('#sheet-name, #make-sheet');

  return (
    <section id="numbers-on-page" class="card" ref={section} aria-labelledby="numbers-title">
      <h2 id="numbers-title" tabIndex={-1}>
        {text('popup_onThisPage')}
      </h2>
      {shown === undefined && <p class="quiet">{text('page_loading')}</p>}
      {shown?.length === 0 && (
        <p class="quiet">{text(isUnreadable ? 'error_unreadable' : 'popup_noNumbers')}</p>
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul class="numbers">
          {shown.map((listed) => {
            const { number, host } = listed;
            const marked = { number: number.display, host };
            return (
              <li key={number.to}>
                {ticks.isTicking && (
                  <input
                    type="checkbox"
                    class="tick-number"
                    aria-label={text('sheet_tick', number.display)}
                    checked={ticks.isTicked(listed)}
                    onChange={({ currentTarget }) => ticks.tick(listed, currentTarget.checked)}
                  />
                )}
                <NumberRow
                  listed={listed}
                  known={knownOf(number.display)}
                  record={showsRecord ? undefined : listed.record}
                  disabled={disabled || number.verdict === 'refuse'}
                  onDial={() => onDial(listed)}
                />
                {mayExclude && (
                  <IconButton
                    icon="remove"
                    class="exclude-number"
                    label={text('popup_notANumber', marked.number)}
                    onClick={() => void exclude(marked, true)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {shown !== undefined && shown.length >= maxListedNumbers && (
        <p class="quiet small">{text('popup_moreNumbers', maxListedNumbers)}</p>
      )}
      {sheets.state === 'ready' && sheets.value && shown !== undefined && shown.length > 0 && (
        <MakeSheet {...ticks} onBegin={ticks.begin} onEnd={ticks.end} />
      )}
      <div role="status" id="excluded">
        {excluded && (
          <Excluded
            key={`${excluded.host} ${excluded.number}`}
            marked={excluded}
            onUndo={() => {
              // The pressed button disappears. The row is shown again after the page has reported.
              document.getElementById('numbers-title')?.focus();
              void exclude(excluded, false);
            }}
          />
        )}
      </div>
      <ExtensionHint tabId={tabId} />
    </section>
  );
}

/** The numbers that the page shows, undefined until its reply, and the number that was just excluded here. */
function useNumbersOnPage(tabId: number) {
  const { value, isCurrent, reload } = useLatest(String(tabId), async () => {
    const reply = await sendRequest('page.numbersOnPage', { tabId });
    return reply.ok ? reply.value : [];
  });
  // On every report of the page, even with the same count. It may be another page, or a page that could not reply
  // before.
  useChanges(['tab'], reload);
  const [excluded, setExcluded] = useState<Marked>();
  const showOther = useCallback(() => {
    setExcluded(undefined);
    void reload();
  }, [reload]);
  useTabChanges(true, showOther, tabId);
  async function exclude(marked: Marked, isExcluded: boolean) {
    const reply = await sendRequest('page.excludeNumber', { ...marked, isExcluded });
    if (reply.ok) setExcluded(isExcluded ? marked : undefined);
  }
  // A tab may take seconds to reply. Until then, the last tab's numbers would be called on this tab's record.
  const found = isCurrent ? (value ?? []) : undefined;
  // Left out until the page reports its numbers again.
  const shown = found?.filter(
    ({ number, host }) => number.display !== excluded?.number || host !== excluded.host,
  );
  return { shown, isUnreadable: isCurrent && value === null, excluded, exclude };
}

/** Says which number is no longer marked. The undo button gets the focus of the button that was removed. */
function Excluded({ marked: { number, host }, onUndo }: { marked: Marked; onUndo(): void }) {
  const undo = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => undo.current?.focus(), []);
  const site = host || text('options_excludedNumbersFiles');
  return (
    <p class="row">
      <span class="grow">{withNumbers(text('popup_excluded', number, site))}</span>
      <button type="button" id="undo-exclude" ref={undo} onClick={onUndo}>
        {text('popup_undo')}
      </button>
    </p>
  );
}

interface ListedProps {
  listed: NumberOnPage;
  known: KnownNumber;
  /** The record that a call from this row is about, if the row has one. */
  record: RecordKey | undefined;
  disabled: boolean;
  onDial(): void;
}

/**
 * The number with the name in the directory, else with the page's own words. If a rule forbids the call, there is no
 * button.
 */
function NumberRow({ listed: { number, context }, known, record, disabled, onDial }: ListedProps) {
  const words = (
    <span>
      <span class="number">{number.display}</span>
      {record && <span class="quiet small row-record">{text('entry_fromPage', recordLabel(record))}</span>}
      <span class="quiet small context">{known.name ?? context}</span>
      <span class="small">
        <KnownFacts known={known} />
      </span>
    </span>
  );
  if (isForbidden(known)) return <div class="number-words">{words}</div>;
  return (
    <button
      type="button"
      class="number-button"
      disabled={disabled}
      title={number.reason ?? ''}
      onClick={onDial}
    >
      <Icon name="phone" />
      {words}
    </button>
  );
}

/** Explains how to call internal extensions that the page names, where the settings have no pattern for them. */
function ExtensionHint({ tabId }: { tabId: number }) {
  const { value: named, reload } = useLatest(String(tabId), async () => {
    const reply = await sendRequest('page.extensionOnPage', { tabId });
    return reply.ok ? reply.value : null;
  });
  // Not at every change of the page: the request reads the page's whole text.
  useChanges(['settings'], reload);
  useTabChanges(true, reload);
  if (!named) return null;
  const digits = /\d+$/.exec(named)?.[0] ?? '';
  return (
    <div class="notice" id="extension-named">
      <p>{text('popup_extensionNamed', named, `_${digits[0]}${'X'.repeat(digits.length - 1)}`)}</p>
      <Button
        id="add-extensions"
        label={text('page_openSettings')}
        onClick={() => openSetting('extensions')}
      />
    </div>
  );
}
