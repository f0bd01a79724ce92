import type { JSX } from 'preact';
import type { InnerProps } from './field-props.ts';
import { emptyValue } from './initial.ts';
import type { Shape } from './shape.ts';

/** Longer lists are edited as JSON: a form of ten thousand inputs helps nobody. */
const MOST = 100;

/** A list that grows, or a tuple. */
export function ListField(props: InnerProps & { readonly shape: Shape & { kind: 'list' } }): JSX.Element {
  const { Field, shape, root, value, onChange, pointer, problems, isQuiet, isRequired, label } = props;
  const items: readonly unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
  const set = (next: readonly unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next);
  const last = shape.items;
  return (
    <div class="list">
      {items.slice(0, MOST).map((item, i) => (
        <div class="row" key={i}>
          <Field
            schema={shape.first[i] ?? shape.items ?? {}}
            root={root}
            value={item}
            label={`${label} ${i + 1}`}
            isRequired
            pointer={`${pointer}/${i}`}
            problems={problems}
            isQuiet={isQuiet}
            onChange={(next) => set(items.map((one, j) => (j === i ? (next ?? null) : one)))}
          />
          <button
            type="button"
            class="icon"
            aria-label={`Remove ${label} ${i + 1}`}
            onClick={() => set(items.filter((_, j) => j !== i))}
          >
            ×
          </button>
        </div>
      ))}
      {items.length > MOST && <p class="muted">{items.length - MOST} more: edit them as JSON.</p>}
      {items.length < shape.first.length && (
        <button type="button" onClick={() => set(shape.first.map((item, i) => items[i] ?? emptyValue(item, root)))}>
          Fill in {label}
        </button>
      )}
      {last && items.length >= shape.first.length && (
        <button type="button" onClick={() => set([...items, emptyValue(last, root)])}>
          Add to {label}
        </button>
      )}
    </div>
  );
}
