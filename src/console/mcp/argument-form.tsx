import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ArgumentInput } from './argument-input.tsx';

export interface Argument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

interface Props {
  readonly arguments: readonly Argument[];
  /** What the arguments belong to, for suggestions. */
  readonly reference: object;
  readonly button: string;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
}

/** Asks for arguments, all of them text. */
export function ArgumentForm({ arguments: parameters, reference, button, onSubmit }: Props): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(values);
      }}
    >
      {parameters.map(({ name, description, required }) => (
        <ArgumentInput
          key={name}
          reference={reference}
          name={name}
          description={description}
          isRequired={required}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <button type="submit">{button}</button>
    </form>
  );
}
