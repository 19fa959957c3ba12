import { formatNumber } from '../dial/phone-number.ts';
import type { ViewModel } from './view-model.ts';

/** A number field that groups digits as they are typed, and one button. */
export function DialForm({ language: { texts }, dial, region, onDial, onType }: ViewModel) {
  const { fault, typed } = dial;
  return (
    <form
      part="dial"
      onSubmit={(event) => {
        event.preventDefault();
        // The second press of a double click may come to the emptied field. Ignore it.
        if (typed || !dial.busy) onDial();
      }}
    >
      <input
        part="input"
        type="tel"
        autocomplete="off"
        maxLength={60}
        aria-label={texts.number}
        placeholder={texts.number}
        aria-invalid={fault === 'notANumber'}
        aria-describedby="fault"
        value={typed}
        onKeyDown={(event) => {
          // To the page the target is the element, not its field. Typed digits are not for the page's shortcuts.
          const isTyped = event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
          if (isTyped) event.stopPropagation();
        }}
        onInput={({ currentTarget: field }) => {
          // Groups the digits only while the caret is at the end. Otherwise the caret would move while an agent
          // corrects a digit in the middle.
          const atEnd = field.selectionEnd === field.value.length;
          if (atEnd) field.value = formatNumber(field.value, region);
          onType(field.value);
        }}
      />
      {/* `disabled` would take the focus from the button. */}
      <button type="submit" part="button" aria-disabled={dial.busy}>
        {texts.call}
      </button>
      <p class="note" id="fault" part="dial-fault" role="status">
        {fault && texts[fault === 'numberNotAllowed' ? 'forbidden' : fault]}
      </p>
    </form>
  );
}
