import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Characters that are shown. All are copied. */
const LONGEST = 20_000;

interface CopyableProps {
  readonly text: string;
  readonly label: string;
  /** Instead of the text, if that is secret. */
  readonly shown?: string;
}

/** Text to copy, as it is. */
export function Copyable({ text, label, shown = text }: CopyableProps): JSX.Element {
  return (
    <div class="copyable">
      <pre class="code" tabIndex={0} aria-label={label}>
        {shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [said, setSaid] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      // Only pages of this machine and of HTTPS may: the text can still be selected.
      setSaid('Select it');
    }
    setTimeout(() => setSaid('Copy'), 1500);
  };
  return (
    <button type="button" class="copy" aria-label={`Copy ${label}`} onClick={() => void copy()}>
      <span aria-live="polite">{said}</span>
    </button>
  );
}
