import type { Sheet } from '../../../shared/protocol/sheets.ts';
import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { useLastRead, useReply, useVisibleInterval } from '../parts/use-reply.ts';
import { NextItem, Progress, type SheetsProps } from './next-item.tsx';

/** How often the sheets are read again: no event reports colleagues' changes. */
const readAgainMs = 60_000;

/** The team's call sheets, and the next person of the chosen sheet. Without a team it shows nothing. */
export function CallSheets(props: SheetsProps) {
  const [reply, replace, reload] = useReply('page.sheets', {}, ['sheets', 'settings']);
  const section = useKeptFocus<HTMLElement>('#sheets-title');
  // While the relay is away, the last list stays.
  const lastRead = useLastRead(reply).current;
  useVisibleInterval(lastRead !== null && readAgainMs, reload);
  if (lastRead === null) return null;
  const { sheets = [], current } = lastRead ?? {};
  const chosen = sheets.find(({ id }) => id === current);
  // Changes the list at once: while the relay is away, it cannot be read again.
  const choose = (sheet: string | null) => {
    replace({ sheets, current: sheet ?? undefined });
    void sendRequest('page.chooseSheet', { sheet });
  };
  return (
    <section class="card" id="sheets" ref={section} aria-labelledby="sheets-title">
      <h2 id="sheets-title" tabIndex={-1}>
        {text('sheet_title')}
      </h2>
      {reply.state === 'loading' && <p class="quiet">{text('page_loading')}</p>}
      {reply.state === 'error' && !chosen && <ErrorNotice error={reply.error} />}
      {reply.state === 'ready' && sheets.length === 0 && <p class="quiet empty">{text('sheet_empty')}</p>}
      {chosen ? (
        <NextItem key={chosen.id} sheet={chosen} onStop={() => choose(null)} {...props} />
      ) : (
        <ul class="sheets">
          {sheets.map((sheet) => (
            <li key={sheet.id} data-id={sheet.id}>
              <Progress sheet={sheet} />
              <Button
                class="start-sheet"
                label={text('sheet_start')}
                aria-label={`${text('sheet_start')}: ${sheet.name}`}
                disabled={sheet.counts.open === 0}
                onClick={() => choose(sheet.id)}
              />
              {sheet.mayDelete && <DeleteSheet sheet={sheet} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const DeleteSheet = ({ sheet: { id, name } }: { sheet: Sheet }) => (
  <AskedButton
    class="plain delete-sheet"
    label={text('popup_delete')}
    aria-label={`${text('popup_delete')}: ${name}`}
    questionId={`delete-${id}`}
    question={text('sheet_deleteQuestion', name)}
    yes={text('popup_delete')}
    onYes={async () => (await sendRequest('page.deleteSheet', { sheet: id })).error}
  />
);
