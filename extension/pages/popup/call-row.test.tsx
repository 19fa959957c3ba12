// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import { eventually } from '../../../testing/eventually.ts';
import { session } from '../../../testing/extension/browser-api.ts';
import { sampleEntry } from '../../gallery/states/samples.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { KnownNumber } from '../../messages/views.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
let save = (_reply: Result<null>) => {};
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: () =>
    new Promise((resolve) => {
      save = resolve;
    }),
}));
const { CallRow } = await import('./call-row.tsx');
const { keepDraft } = await import('../parts/unsaved-draft.ts');

test('a note that is written further while it is saved is kept until its own save', async () => {
  const entry = sampleEntry('+55 48 3222-1000', {});
  const draft = () => session.get(`draft:note-${entry.id}`);
  await act(async () =>
    render(<CallRow entry={entry} known={{}} disabled={false} onDial={() => {}} />, document.body),
  );
  const note = document.querySelector('textarea')!;
  const write = (text: string) =>
    act(async () => {
      note.value = text;
      note.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
  await write('Wants');
  await act(async () => void note.dispatchEvent(new FocusEvent('blur')));
  await write('Wants a quote');
  await act(async () => save(ok(null)));
  expect(draft()).toBe('Wants a quote');
  await act(async () => void note.dispatchEvent(new FocusEvent('blur')));
  await act(async () => save(ok(null)));
  expect(draft()).toBeUndefined();
});

test('a note that is too long stays whole, with its length, unsaved', async () => {
  render(null, document.body);
  const entry = sampleEntry('+55 48 3222-1004', {});
  await act(async () =>
    render(<CallRow entry={entry} known={{}} disabled={false} onDial={() => {}} />, document.body),
  );
  const note = document.querySelector('textarea')!;
  expect(note.maxLength).toBe(-1);
  const asked = vi.fn();
  save = asked;
  await act(async () => {
    note.value = 'w'.repeat(2001);
    note.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  await act(async () => void note.dispatchEvent(new FocusEvent('blur')));
  expect(note.parentElement!.textContent).toContain('This text has 2001 characters. Enter at most 2000.');
  // A request would have replaced it.
  expect(save).toBe(asked);
});

test('shows the note that another window of the panel has saved, unless another is being written', async () => {
  render(null, document.body);
  const entry = sampleEntry('+55 48 3222-1001', {});
  const show = (note: string) =>
    act(async () =>
      render(
        <CallRow entry={{ ...entry, note }} known={{}} disabled={false} onDial={() => {}} />,
        document.body,
      ),
    );
  await show('');
  const field = document.querySelector('textarea')!;
  await show('Call after six');
  expect(field.value).toBe('Call after six');
  await act(async () => {
    field.value = 'Call after six, ask for Ana';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  await show('Call after seven');
  expect(field.value).toBe('Call after six, ask for Ana');
});

test('the focus goes from a number that must not be called any more to its row', async () => {
  render(null, document.body);
  const entry = sampleEntry('+55 48 3222-1002', {}, { hasWrapUp: true });
  const show = (known: KnownNumber) =>
    act(async () =>
      render(<CallRow entry={entry} known={known} disabled={false} onDial={() => {}} />, document.body),
    );
  await show({});
  document.querySelector<HTMLElement>('.do-not-call-button')!.focus();
  await show({ refusal: 'On the list.' });
  expect(document.querySelector('.do-not-call-button')).toBeNull();
  expect(document.activeElement).toBe(document.querySelector('summary'));
});

test('a row says that what was typed at its call is not saved, until it is', async () => {
  render(null, document.body);
  const entry = sampleEntry('+55 48 3222-1003', {}, { hasWrapUp: true });
  const show = (wrapUp?: WrapUp) =>
    act(async () =>
      render(
        <CallRow
          entry={{ ...entry, call: { ...entry.call, ...(wrapUp && { wrapUp }) } }}
          known={{}}
          disabled={false}
          onDial={() => {}}
        />,
        document.body,
      ),
    );
  const isMarked = () => document.querySelector('summary')!.textContent!.includes('Not saved yet');
  await show();
  expect(isMarked()).toBe(false);
  keepDraft(entry.id, { draft: { outcome: '', note: 'Ana wants a quote', callBackAt: '' } });
  await eventually(() => expect(isMarked()).toBe(true));
  // The save ended after the page that sent it had closed.
  await show({ note: 'Ana wants a quote', revision: 1 });
  expect(isMarked()).toBe(false);
});
