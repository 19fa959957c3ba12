import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../../error-text.ts';
import type { PersonView } from '../../messages/views.ts';
import { isNameQuery } from '../../name-query.ts';
import { text } from '../../text.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useLatest } from '../parts/use-latest.ts';

/** The people that match the typed text, and the person that the arrow keys have reached. */
export function usePeople(typed: string, onChoose: (person: PersonView) => void) {
  const isQuery = isNameQuery(typed);
  const { value: reply, isCurrent } = useLatest(isQuery ? typed.trim() : '', async () =>
    isQuery ? sendRequest('page.findPeople', { typed: typed.trim() }) : undefined,
  );
  const people = (isQuery && reply?.ok && reply.value) || [];
  const [place, setPlace] = useState({ typed, index: -1 });
  const reached = place.typed === typed ? place.index : -1;
  const setReached = (index: number) => setPlace({ typed, index });
  const chosen = people[reached];

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && people.length > 0) {
      event.preventDefault();
      // The arrow keys go round: the field is between the last person and the first.
      setReached(((reached + 1 + step + people.length + 1) % (people.length + 1)) - 1);
    } else if (event.key === 'Enter' && chosen && !event.isComposing) {
      event.preventDefault();
      onChoose(chosen);
    } else if (event.key === 'Escape') setReached(-1);
  }

  return {
    people,
    reached,
    onKeyDown,
    isQuery,
    /** Why the list is empty; an empty text if there is nothing to say. */
    note: !isQuery ? '' : noteOf(reply, isCurrent),
  };
}

type PeopleReply = Awaited<ReturnType<typeof sendRequest<'page.findPeople'>>> | undefined;

function noteOf(reply: PeopleReply, isCurrent: boolean): string {
  if (reply?.ok && reply.value !== null && reply.value.length > 0) return '';
  // That an earlier text found no one does not hold for this text.
  if (!isCurrent) return text('page_loading');
  if (!reply) return '';
  if (!reply.ok) return errorText(reply.error);
  return text(reply.value === null ? 'people_needRelay' : 'popup_nothingFound');
}

interface Props {
  people: readonly PersonView[];
  reached: number;
  onChoose(person: PersonView): void;
}

/** The list below the dial field. The field keeps the focus; a click chooses as Enter does. */
export function PeopleList({ people, reached, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The browser does not scroll to the person, because the focus stays in the field.
    list.current?.children[reached]?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  return (
    <div ref={list} id="people" role="listbox" aria-label={text('people_title')} hidden={people.length === 0}>
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the dial field has the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the dial field has the focus, and names the option.
        <div
          key={[nameOf(person), person.display, person.label].join()}
          id={`person-${index}`}
          role="option"
          aria-selected={index === reached}
          // Otherwise the field would lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
        >
          <bdi class="callee-name">{nameOf(person)}</bdi>
          <span class="quiet small">
            <span class="number">{person.display}</span>
            {person.label !== undefined && <bdi> · {person.label}</bdi>}
          </span>
        </div>
      ))}
    </div>
  );
}

/** "Ana Prado, Acme" */
export const nameOf = ({ name, organisation }: PersonView): string =>
  organisation && organisation !== name ? `${name}, ${organisation}` : name;
