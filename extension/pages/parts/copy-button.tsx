import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { Button } from './form.tsx';

/** Copies a text to the clipboard and says so, until the text changes. */
export function CopyButton({
  value,
  label,
  ...button
}: {
  value: string;
  label: string;
  id?: string;
  class?: string;
}) {
  const [last, setLast] = useState<{ value: string; state: 'copied' | 'copyFailed' }>();
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setLast({ value, state: 'copied' }),
      () => setLast({ value, state: 'copyFailed' }),
    );
  return (
    <Button
      {...button}
      icon="copy"
      label={last?.value === value ? text(`registration_${last.state}`) : label}
      onClick={() => void copy()}
    />
  );
}
