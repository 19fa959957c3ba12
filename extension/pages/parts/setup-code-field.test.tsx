// @vitest-environment jsdom
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { setupCode } from '../../gallery/states/samples.ts';
import { noSetupEntry } from './read-setup.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { SetupCodeField } = await import('./setup-code-field.tsx');

function Form() {
  const [entry, setEntry] = useState({ typed: setupCode(['1105']), from: '' });
  return (
    <SetupCodeField
      entry={entry}
      lockedRelay={undefined}
      onEntry={setEntry}
      onUse={() => setEntry(noSetupEntry)}
    />
  );
}

test('the focus goes from a setup code that was used to the field for another one', async () => {
  await act(async () => render(<Form />, document.body));
  const use = document.querySelector<HTMLButtonElement>('#use-setup-code')!;
  use.focus();
  await act(async () => use.click());
  expect(document.querySelector('#use-setup-code')).toBeNull();
  expect(document.activeElement!.id).toBe('setup-code');
});
