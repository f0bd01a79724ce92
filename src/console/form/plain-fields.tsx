import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { InnerProps } from './field-props.ts';

const aria = ({ id, describedBy, isWrong, isRequired }: InnerProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isWrong || undefined,
  'aria-required': isRequired || undefined,
});

const textOf = (value: unknown) =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const inputIn = (event: Event) => (event.currentTarget as HTMLInputElement).value;

/** What is no number stays text, so that the check can say what is wrong with it. */
function toNumber(text: string): unknown {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) && !/^\s*[-+]?0[xob]/i.test(text) ? number : text;
}

export function NumberField(props: InnerProps & { readonly isInteger: boolean }): JSX.Element {
  const { value, onChange, isInteger, schema } = props;
  // "1." on the way to "1.5" must not be rewritten while somebody types.
  const [typed, setTyped] = useState(textOf(value));
  useEffect(() => {
    if (toNumber(typed) !== value) setTyped(textOf(value));
  }, [value]);
  return (
    <input
      {...aria(props)}
      class="number"
      type="text"
      inputMode={isInteger ? 'numeric' : 'decimal'}
      autocomplete="off"
      value={typed}
      placeholder={schema.default === undefined ? '' : textOf(schema.default)}
      onInput={(event) => {
        setTyped(inputIn(event));
        onChange(toNumber(inputIn(event)));
      }}
    />
  );
}

export function BooleanField(props: InnerProps): JSX.Element {
  const { value, onChange, isRequired, schema } = props;
  if (isRequired)
    return (
      <input
        {...aria(props)}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  const unset = schema.default === undefined ? 'not given' : `default: ${textOf(schema.default)}`;
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

type TextInput = 'text' | 'date' | 'datetime' | 'password' | 'multiline';

export function StringField(props: InnerProps & { readonly input: TextInput }): JSX.Element {
  const { value, onChange, isRequired, input, schema } = props;
  // An empty input is nothing, except where a string must be given and one was.
  const change = (event: Event) => onChange(inputIn(event) === '' && !isRequired ? undefined : inputIn(event));
  const shared = {
    ...aria(props),
    value: textOf(value),
    placeholder: schema.default === undefined ? '' : textOf(schema.default),
    onInput: change,
  };
  const text = textOf(value);
  if (input === 'multiline' || text.includes('\n')) return <textarea {...shared} rows={3} />;
  if (input === 'password') return <input {...shared} type="password" autocomplete="new-password" />;
  if (input === 'date' && /^(?:\d{4}-\d\d-\d\d)?$/.test(text)) return <input {...shared} type="date" />;
  if (input === 'datetime')
    return (
      <div class="joined">
        <input {...shared} type="text" placeholder="2026-01-01T12:00:00Z" autocomplete="off" />
        <button type="button" onClick={() => onChange(new Date().toISOString())}>
          Now
        </button>
      </div>
    );
  return <input {...shared} type="text" autocomplete="off" />;
}

/** Any JSON: where the schema allows everything. */
export function JsonField(props: InnerProps): JSX.Element {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (JSON.stringify(read(typed).value) !== JSON.stringify(value))
      setTyped(value === undefined ? '' : JSON.stringify(value, null, 2));
  }, [value]);
  return (
    <>
      <textarea
        {...aria(props)}
        class="code"
        rows={2}
        spellcheck={false}
        placeholder="JSON"
        value={typed}
        onInput={(event) => {
          const text = inputIn(event);
          const { value: next, problem: wrong = '' } = read(text);
          setTyped(text);
          setProblem(wrong);
          if (!wrong) onChange(next);
        }}
      />
      {problem && <p class="problem">{problem}</p>}
    </>
  );
}

function read(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return text.trim() === '' ? {} : { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
