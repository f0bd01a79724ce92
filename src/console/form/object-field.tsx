import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { pointerTo } from '../../schema/pointer.ts';
import { schemasFor } from '../../schema/schema-tree.ts';
import type { InnerProps } from './field-props.ts';
import { emptyValue, initialValue } from './initial.ts';
import { isObject } from './json-text.ts';
import type { Shape } from './shape.ts';

/** A copy with one field changed. Not by assignment, which `__proto__` would be special for. */
function withField(value: object, name: string, next: unknown): object {
  const others = Object.entries(value);
  const isThere = Object.hasOwn(value, name);
  if (next === undefined) return Object.fromEntries(others.filter(([key]) => key !== name));
  return Object.fromEntries(
    isThere ? others.map(([key, old]) => [key, key === name ? next : old]) : [...others, [name, next]],
  );
}

/** The fields of an object, all others that it has, and a button for one that is not there at all. */
export function ObjectField(props: InnerProps & { readonly shape: Shape & { kind: 'object' } }): JSX.Element {
  const { Field, shape, root, value, onChange, pointer, problems, isQuiet, isRequired, schema, label } = props;
  // Also if it is required: the fields of a type that contains itself would never end.
  if (!isObject(value))
    return (
      <button type="button" onClick={() => onChange(initialValue(schema, root))}>
        Add {label}
      </button>
    );
  const listed = new Set(shape.properties.map(({ name }) => name));
  const field = (name: string, inner: JsonSchema, required: boolean, isHeld = false) => (
    <Field
      key={name}
      schema={inner}
      root={root}
      value={Object.hasOwn(value, name) ? value[name] : undefined}
      label={name}
      isRequired={required}
      isHeld={isHeld}
      pointer={pointerTo(pointer, name)}
      problems={problems}
      isQuiet={isQuiet}
      onChange={(next) => onChange(withField(value, name, next))}
    />
  );
  const others = Object.keys(value).filter((name) => !listed.has(name));
  const schemaOf = (name: string): JsonSchema => schemasFor(schema, name).find(isRecord) ?? {};
  return (
    <div class="fields">
      {shape.properties.map((one) => field(one.name, one.schema, one.isRequired))}
      {others.map((name) => (
        <div class="row" key={name}>
          {field(name, schemaOf(name), true, true)}
          <button
            type="button"
            class="icon"
            aria-label={`Remove ${name}`}
            onClick={() => onChange(withField(value, name, undefined))}
          >
            ×
          </button>
        </div>
      ))}
      {shape.rest && (
        <NewEntry
          label={label}
          taken={(name) => listed.has(name) || Object.hasOwn(value, name)}
          onAdd={(name) => onChange(withField(value, name, emptyValue(schemaOf(name), root)))}
        />
      )}
      {!isRequired && (
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          Leave out {label}
        </button>
      )}
    </div>
  );
}

interface NewEntryProps {
  readonly label: string;
  readonly taken: (name: string) => boolean;
  readonly onAdd: (name: string) => void;
}

/** A new key of a map. One that is there already keeps its value. */
function NewEntry({ label, taken, onAdd }: NewEntryProps): JSX.Element {
  const [name, setName] = useState('');
  const [isMissed, setMissed] = useState(false);
  const isTaken = taken(name);
  const add = () => {
    setMissed(name === '');
    if (name === '' || isTaken) return;
    onAdd(name);
    setName('');
  };
  return (
    <div class="joined">
      <input
        type="text"
        aria-label={`New key in ${label}`}
        aria-invalid={isTaken || undefined}
        placeholder="new key"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey) return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" aria-disabled={isTaken} onClick={add}>
        Add key
      </button>
      {(isTaken || (isMissed && name === '')) && (
        <span class="problem" role="status">
          {isTaken ? 'There is such a key already.' : 'Enter the new key first.'}
        </span>
      )}
    </div>
  );
}
