import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { summarize } from '../../schema/problem.ts';
import { limitsOf } from '../limits-of.ts';
import { ChoiceField, ConstantField } from './choice-field.tsx';
import type { FieldProps, InnerProps } from './field-props.ts';
import { FileField } from './file-field.tsx';
import { fits } from './fits.ts';
import { JsonField } from './json-field.tsx';
import { ListField } from './list-field.tsx';
import { ObjectField } from './object-field.tsx';
import { BooleanField, NumberField } from './plain-fields.tsx';
import { merged, shapeOf } from './shape.ts';
import { StringField } from './string-field.tsx';
import { UnionField } from './union-field.tsx';
import { useChanges } from './use-changes.ts';

/** The name, the description, the input and the problems of one value. */
export function Field(props: FieldProps): JSX.Element {
  const { label, isRequired, isQuiet, value, pointer } = props;
  const id = useId();
  const schema = merged(props.schema, props.root);
  const { isNew, change } = useChanges(props);
  const declared = shapeOf(props.schema, props.root);
  // Decided when a value comes from elsewhere, so that an input stays the same while somebody types.
  const isJson = useRef(false);
  if (isNew) isJson.current = !fits(value, declared);
  const shape = isJson.current ? ({ kind: 'json' } as const) : declared;
  // Values inside of a leaf have no field of their own.
  const isLeaf = !['object', 'list', 'union'].includes(shape.kind);
  const own = props.problems.filter(
    (problem) => problem.pointer === pointer || (isLeaf && problem.pointer.startsWith(`${pointer}/`)),
  );
  const shown = isQuiet || (value === undefined && !isRequired) ? [] : own;
  const notes = [schema.description, limitsOf(schema)].filter(Boolean).join(' · ');
  const inner: InnerProps = {
    ...props,
    onChange: change,
    Field,
    schema,
    id,
    describedBy: [notes && `${id}-notes`, shown.length > 0 && `${id}-problems`].filter(Boolean).join(' ') || undefined,
    isWrong: shown.length > 0,
  };
  const name = (
    <>
      {label}
      {isRequired && (
        <span class="required" title="required" aria-hidden="true">
          {' '}
          *
        </span>
      )}
      {schema['deprecated'] === true && <span class="badge warn">deprecated</span>}
    </>
  );
  const rest = (
    <>
      {notes && (
        <p class="notes" id={`${id}-notes`}>
          {notes}
        </p>
      )}
      {inputOf(shape, inner)}
      {shown.length > 0 && (
        <p class="problem" id={`${id}-problems`}>
          {shown.map((one) => (one.pointer === pointer ? one.message : summarize([one]))).join('; ')}
        </p>
      )}
    </>
  );
  if (!isLeaf)
    return (
      <fieldset class="field group" data-pointer={pointer} aria-describedby={inner.describedBy}>
        <legend>{name}</legend>
        {rest}
      </fieldset>
    );
  return (
    <div class="field" data-pointer={pointer}>
      <label for={id}>{name}</label>
      {rest}
    </div>
  );
}

function inputOf(shape: ReturnType<typeof shapeOf>, props: InnerProps): JSX.Element {
  switch (shape.kind) {
    case 'constant':
      return <ConstantField {...props} only={shape.value} />;
    case 'null':
      return <ConstantField {...props} only={null} />;
    case 'choice':
      return <ChoiceField {...props} values={shape.values} />;
    case 'boolean':
      return <BooleanField {...props} />;
    case 'number':
      return <NumberField {...props} isInteger={shape.isInteger} />;
    case 'string':
      return <StringField {...props} input={shape.input} />;
    case 'file':
    case 'bytes':
      return <FileField {...props} isBytes={shape.kind === 'bytes'} />;
    case 'list':
      return <ListField {...props} shape={shape} />;
    case 'object':
      return <ObjectField {...props} shape={shape} />;
    case 'union':
      return <UnionField {...props} branches={shape.branches} />;
    default:
      return <JsonField {...props} />;
  }
}
