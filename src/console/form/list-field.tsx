import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { InnerProps } from './field-props.ts';
import { emptyValue } from './initial.ts';
import type { Shape } from './shape.ts';
import { useChanges } from './use-changes.ts';

/** Longer lists are edited as JSON: a form of ten thousand inputs helps nobody. */
const MOST = 100;

/** A list that grows, or a tuple. */
export function ListField(props: InnerProps & { readonly shape: Shape & { kind: 'list' } }): JSX.Element {
  const { Field, shape, root, value, pointer, problems, isQuiet, isRequired, label } = props;
  const { isNew, change } = useChanges(props);
  const items: readonly unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
  // A row keeps its key when one before it is removed: what its inputs hold, such as a chosen file, moves with it.
  const keys = useRef<{ next: number; of: readonly number[] }>({ next: 0, of: [] }).current;
  if (isNew) keys.of = [];
  while (keys.of.length < items.length) keys.of = [...keys.of, keys.next++];
  const remove = (at: number) => {
    keys.of = keys.of.filter((_, i) => i !== at);
    change(items.filter((_, i) => i !== at));
  };
  const last = shape.items;
  return (
    <div class="list">
      {items.slice(0, MOST).map((item, i) => (
        <div class="row" key={keys.of[i]}>
          <Field
            schema={shape.first[i] ?? shape.items ?? {}}
            root={root}
            value={item}
            label={`${label} ${i + 1}`}
            isRequired
            isHeld
            pointer={`${pointer}/${i}`}
            problems={problems}
            isQuiet={isQuiet}
            onChange={(next) => change(items.map((one, j) => (j === i ? next : one)))}
          />
          <button type="button" class="icon" aria-label={`Remove ${label} ${i + 1}`} onClick={() => remove(i)}>
            ×
          </button>
        </div>
      ))}
      {items.length > MOST && <p class="muted">{items.length - MOST} more: edit them as JSON.</p>}
      {value !== undefined && items.length === 0 && <p class="muted">An empty list.</p>}
      {items.length < shape.first.length && (
        <button type="button" onClick={() => change(shape.first.map((item, i) => items[i] ?? emptyValue(item, root)))}>
          Fill in {label}
        </button>
      )}
      {last && items.length >= shape.first.length && (
        <button type="button" onClick={() => change([...items, emptyValue(last, root)])}>
          Add to {label}
        </button>
      )}
      {value !== undefined && !isRequired && (
        <button type="button" class="quiet" onClick={() => change(undefined)}>
          Leave out {label}
        </button>
      )}
    </div>
  );
}
