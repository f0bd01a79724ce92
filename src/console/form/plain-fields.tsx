import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { aria } from './aria.ts';
import type { InnerProps } from './field-props.ts';
import { writeJson } from './json-text.ts';
import { readNumber } from './read-number.ts';
import { useChanges } from './use-changes.ts';

const textOf = (value: unknown) =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : writeJson(value);

export function NumberField(props: InnerProps & { readonly isInteger: boolean }): JSX.Element {
  const { value, isInteger, schema } = props;
  const { isNew, change } = useChanges(props);
  // "1." on the way to "1.5" must not be rewritten while somebody types.
  const typed = useRef('');
  if (isNew) typed.current = textOf(value);
  return (
    <input
      {...aria(props)}
      class="number"
      type="text"
      inputMode={isInteger ? 'numeric' : 'decimal'}
      autocomplete="off"
      value={typed.current}
      placeholder={value === null ? 'null' : textOf(schema.default)}
      onInput={(event) => {
        typed.current = event.currentTarget.value;
        change(readNumber(typed.current));
      }}
    />
  );
}

export function BooleanField(props: InnerProps): JSX.Element {
  const { value, onChange, isRequired, schema } = props;
  // A box is either true or false: it cannot show that nothing is given.
  const isBox = useRef(isRequired && value !== undefined);
  if (isBox.current && value !== undefined)
    return (
      <input
        {...aria(props)}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  const unset =
    schema.default === undefined ? (isRequired ? 'choose…' : 'not given') : `default: ${textOf(schema.default)}`;
  return (
    <select
      {...aria(props)}
      value={textOf(value)}
      onChange={(event) => onChange({ true: true, false: false }[event.currentTarget.value])}
    >
      <option value="">{unset}</option>
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}
