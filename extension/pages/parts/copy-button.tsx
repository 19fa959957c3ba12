import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { Button } from './form.tsx';

/** Copies a text to the clipboard and says so. */
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
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(value).then(() => setCopied(true));
  return (
    <Button
      {...button}
      icon="copy"
      label={isCopied ? text('registration_copied') : label}
      onClick={() => void copy()}
    />
  );
}
