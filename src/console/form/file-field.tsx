import type { JSX } from 'preact';
import { toBase64 } from '../call.ts';
import { bytes } from '../format.ts';
import type { InnerProps } from './field-props.ts';

/** A file of this machine: its bytes in base64, with its name and type where the schema has room for them. */
export function FileField(props: InnerProps & { readonly isBytes: boolean }): JSX.Element {
  const { id, describedBy, isWrong, value, onChange, isBytes } = props;
  const data = isBytes ? value : (value as { data?: unknown } | undefined)?.data;
  const size = typeof data === 'string' ? Math.floor((data.replace(/=+$/, '').length * 3) / 4) : undefined;
  const name = isBytes ? undefined : (value as { name?: unknown } | undefined)?.name;
  const choose = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    const encoded = await toBase64(file);
    onChange(isBytes ? encoded : { name: file.name, ...(file.type && { type: file.type }), data: encoded });
  };
  return (
    <div class="joined">
      <input
        id={id}
        type="file"
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        onChange={(event) => void choose(event.currentTarget.files)}
      />
      {size !== undefined && (
        <span class="muted">
          {typeof name === 'string' ? `${name}, ` : ''}
          {bytes(size)}
        </span>
      )}
      {value !== undefined && (
        <button type="button" onClick={() => onChange(undefined)}>
          Remove
        </button>
      )}
    </div>
  );
}
