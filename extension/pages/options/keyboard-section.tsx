import { text } from '../../text.ts';
import { KeyboardTable } from '../parts/keyboard-table.tsx';

export function KeyboardSection() {
  return (
    <>
      <p class="quiet">{text('options_keyboardIntro')}</p>
      <KeyboardTable />
    </>
  );
}
