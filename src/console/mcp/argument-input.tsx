import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { request } from './rpc.ts';

interface Props {
  readonly reference: object;
  readonly name: string;
  readonly description?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input that offers what the app suggests while somebody types. */
export function ArgumentInput({ reference, name, description, isRequired, value, onChange }: Props): JSX.Element {
  const id = useId();
  const [offered, setOffered] = useState<readonly string[]>([]);
  const suggest = async (text: string) => {
    const params = { ref: reference, argument: { name, value: text } };
    const { completion } = await request<{ completion: { values: string[] } }>('completion/complete', params);
    setOffered(completion.values);
  };
  return (
    <label class="inline" title={description}>
      {name}
      {isRequired && (
        <span class="required" aria-hidden="true">
          {' '}
          *
        </span>
      )}{' '}
      <input
        type="text"
        list={id}
        value={value}
        autocomplete="off"
        onFocus={() => void suggest(value).catch(() => {})}
        onInput={(event) => {
          onChange(event.currentTarget.value);
          void suggest(event.currentTarget.value).catch(() => {});
        }}
      />
      <datalist id={id}>
        {offered.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}
