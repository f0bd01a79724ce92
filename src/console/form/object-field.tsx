import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { pointerTo } from '../../schema/pointer.ts';
import type { InnerProps } from './field-props.ts';
import { emptyValue, initialValue } from './initial.ts';
import type { Shape } from './shape.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy with one field changed. Not by assignment, which `__proto__` would be special for. */
function withField(value: object, name: string, next: unknown): object {
  const others = Object.entries(value);
  const isThere = Object.hasOwn(value, name);
  if (next === undefined) return Object.fromEntries(others.filter(([key]) => key !== name));
  return Object.fromEntries(
    isThere ? others.map(([key, old]) => [key, key === name ? next : old]) : [...others, [name, next]],
  );
}

/** The fields of an object, those that are not listed, and a button for one that is not there at all. */
export function ObjectField(props: InnerProps & { readonly shape: Shape & { kind: 'object' } }): JSX.Element {
  const { Field, shape, root, value, onChange, pointer, problems, isQuiet, isRequired, schema, label } = props;
  if (!isObject(value) && !isRequired)
    return (
      <button type="button" onClick={() => onChange(initialValue(schema, root))}>
        Add {label}
      </button>
    );
  const given = isObject(value) ? value : {};
  const listed = new Set(shape.properties.map(({ name }) => name));
  const field = (name: string, inner: JsonSchema, required: boolean) => (
    <Field
      key={name}
      schema={inner}
      root={root}
      value={Object.hasOwn(given, name) ? given[name] : undefined}
      label={name}
      isRequired={required}
      pointer={pointerTo(pointer, name)}
      problems={problems}
      isQuiet={isQuiet}
      onChange={(next) => onChange(withField(given, name, next))}
    />
  );
  const others = Object.keys(given).filter((name) => !listed.has(name));
  return (
    <div class="fields">
      {shape.properties.map((one) => field(one.name, one.schema, one.isRequired))}
      {shape.rest &&
        others.map((name) => (
          <div class="row" key={name}>
            {field(name, shape.rest!, true)}
            <button
              type="button"
              class="icon"
              aria-label={`Remove ${name}`}
              onClick={() => onChange(withField(given, name, undefined))}
            >
              ×
            </button>
          </div>
        ))}
      {shape.rest && (
        <NewEntry label={label} onAdd={(name) => onChange(withField(given, name, emptyValue(shape.rest!, root)))} />
      )}
      {!isRequired && (
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          Leave out {label}
        </button>
      )}
    </div>
  );
}

/** A new key of a map. */
function NewEntry({ label, onAdd }: { readonly label: string; readonly onAdd: (name: string) => void }): JSX.Element {
  const [name, setName] = useState('');
  const add = () => {
    if (name !== '') onAdd(name);
    setName('');
  };
  return (
    <div class="joined">
      <input
        type="text"
        aria-label={`New key in ${label}`}
        placeholder="new key"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey) return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" onClick={add}>
        Add key
      </button>
    </div>
  );
}
