import type { JSX } from 'preact';
import { canonicalJson } from '../../schema/canonical-json.ts';
import type { InnerProps } from './field-props.ts';
import { writeJson } from './json-text.ts';

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const isSame = (a: unknown, b: unknown) => a !== undefined && canonicalJson(a) === canonicalJson(b);

/** One of the listed values. */
export function ChoiceField(props: InnerProps & { readonly values: readonly unknown[] }): JSX.Element {
  const { id, describedBy, isWrong, value, values, onChange, isRequired, schema } = props;
  const chosen = values.findIndex((one) => isSame(value, one));
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
      <option value="-1">{value !== undefined && chosen < 0 ? `not listed: ${writeJson(value)}` : unset}</option>
      {values.map((one, i) => (
        <option key={i} value={String(i)}>
          {shown(one)}
        </option>
      ))}
    </select>
  );
}

/** The only possible value: a choice, where it may be left out or is something else. */
export function ConstantField(props: InnerProps & { readonly only: unknown }): JSX.Element {
  const { id, value, only, isRequired } = props;
  if (!isRequired || !isSame(value, only)) return <ChoiceField {...props} values={[only]} />;
  return (
    <output id={id} class="constant">
      {JSON.stringify(only)}
    </output>
  );
}
