import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { Button } from './form.tsx';

/** A function that copies a text to the clipboard, and its result in words, until the text changes. */
export function useCopy(value: string) {
  const [last, setLast] = useState<{ value: string; state: 'copied' | 'copyFailed' }>();
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setLast({ value, state: 'copied' }),
      () => setLast({ value, state: 'copyFailed' }),
    );
  return { copy, result: last?.value === value ? text(`registration_${last.state}`) : undefined };
}

/** Copies a text. The result then takes the place of its label. */
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
  const { copy, result = label } = useCopy(value);
  return <Button {...button} icon="copy" label={result} onClick={copy} />;
}
