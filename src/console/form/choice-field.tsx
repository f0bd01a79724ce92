import type { JSX } from 'preact';
import type { InnerProps } from './field-props.ts';

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** One of the listed values. */
export function ChoiceField(props: InnerProps & { readonly values: readonly unknown[] }): JSX.Element {
  const { id, describedBy, isWrong, value, values, onChange, isRequired, schema } = props;
  const chosen = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
  const unset =
    schema.default === undefined ? (isRequired ? 'choose…' : 'not given') : `default: ${shown(schema.default)}`;
  return (
    <select
      id={id}
      aria-describedby={describedBy}
      aria-invalid={isWrong || undefined}
      value={String(chosen)}
      onChange={(event) => onChange(values[Number(event.currentTarget.value)])}
    >
      <option value="-1">{value !== undefined && chosen < 0 ? `not listed: ${shown(value)}` : unset}</option>
      {values.map((one, i) => (
        <option key={i} value={String(i)}>
          {shown(one)}
        </option>
      ))}
    </select>
  );
}
