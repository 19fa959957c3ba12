import { formatNumber } from '../dial/format-number.ts';
import type { ViewModel } from './view-model.ts';

/** A number field that groups digits as they are typed, and one button. */
export function DialForm({ language: { words }, dial, region, onDial, onType }: ViewModel) {
  const { fault, typed } = dial;
  return (
    <form
      part="dial"
      onSubmit={(event) => {
        event.preventDefault();
        onDial();
      }}
    >
      <input
        part="input"
        type="tel"
        autocomplete="off"
        maxLength={60}
        aria-label={words.number}
        placeholder={words.number}
        aria-invalid={fault === 'notANumber'}
        aria-describedby="fault"
        value={typed}
        onInput={({ currentTarget: field }) => {
          // Who corrects a digit in the middle keeps the caret there: nothing is regrouped then.
          const atEnd = field.selectionEnd === field.value.length;
          if (atEnd) field.value = formatNumber(field.value, region);
          onType(field.value);
        }}
      />
      {/* Not `disabled`: the focus would be lost under the agent's finger. */}
      <button type="submit" part="button" aria-disabled={dial.busy}>
        {words.call}
      </button>
      <p class="note" id="fault" part="dial-fault" role="status">
        {fault &&
          words[fault === 'notPlaced' ? 'failed' : fault === 'numberNotAllowed' ? 'forbidden' : fault]}
      </p>
    </form>
  );
}
