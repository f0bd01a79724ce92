import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toBase64 } from '../call.ts';
import { bytes } from '../format.ts';
import type { InnerProps } from './field-props.ts';
import { useChanges } from './use-changes.ts';

/** A file of this machine: its bytes in base64, with its name and type where the schema has room for them. */
export function FileField(props: InnerProps & { readonly isBytes: boolean }): JSX.Element {
  const { id, describedBy, isWrong, value, isBytes } = props;
  const { isNew, change } = useChanges(props);
  const held = (isBytes ? { data: value } : (value ?? {})) as { data?: unknown; name?: string; type?: string };
  const size = typeof held.data === 'string' ? Math.floor((held.data.replace(/=+$/, '').length * 3) / 4) : undefined;
  const input = useRef<HTMLInputElement>(null);
  // The browser shows the file that was chosen, even if another value was set since.
  const forget = () => input.current && (input.current.value = '');
  useEffect(() => void (isNew && forget()));
  // Reading takes a while. What was changed meanwhile must not be undone, so the newest change is called, and only for
  // the last file that was chosen.
  const latest = useRef({ change, chosen: undefined as File | undefined }).current;
  latest.change = change;
  useEffect(() => () => void (latest.chosen = undefined), []);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    latest.chosen = file;
    const encoded = await toBase64(file);
    if (latest.chosen !== file) return;
    latest.change(isBytes ? encoded : { name: file.name, ...(file.type && { type: file.type }), data: encoded });
  };
  return (
    <div class="joined">
      <input
        id={id}
        ref={input}
        type="file"
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      {size !== undefined && (
        <span class="muted">{[held.name, held.type, bytes(size)].filter(Boolean).join(', ')}</span>
      )}
      {value === null && <span class="muted">null</span>}
      {value !== undefined && value !== null && (
        <button
          type="button"
          onClick={() => {
            latest.chosen = undefined;
            forget();
            change(undefined);
          }}
        >
          Remove
        </button>
      )}
    </div>
  );
}
