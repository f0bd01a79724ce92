import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { InnerProps } from './field-props.ts';
import { branchOf, valueForBranch } from './initial.ts';
import { branchLabel, shapeOf } from './shape.ts';
import { useChanges } from './use-changes.ts';

/** Several possibilities: a chooser, and what was chosen. */
export function UnionField(props: InnerProps & { readonly branches: readonly JsonSchema[] }): JSX.Element {
  const { Field, branches, root, value, isRequired, label } = props;
  const { isNew, change } = useChanges(props);
  const isNull = (branch: JsonSchema) => shapeOf(branch, root).kind === 'null';
  // A branch stays until another is chosen: "-" on the way to "-5" is no string, even if strings are allowed, too.
  const picked = useRef(-1);
  if (isNew && value !== undefined) picked.current = branchOf(value, branches, root);
  else if (isNew) picked.current = isRequired ? branches.findIndex((branch) => !isNull(branch)) : -1;
  const current = picked.current;
  const branch = branches[current];
  // Another branch may accept such text, so that no check says anything.
  const isTextOnly =
    typeof value === 'string' &&
    branch !== undefined &&
    shapeOf(branch, root).kind === 'number' &&
    props.problems.every(({ pointer }) => pointer !== props.pointer);
  const none = current < 0 && value !== undefined ? 'none of these' : isRequired ? 'choose…' : 'not given';
  return (
    <div class="union">
      <select
        aria-label={`Kind of ${label}`}
        value={String(current)}
        onChange={(event) => {
          picked.current = Number(event.currentTarget.value);
          const next = branches[picked.current];
          change(next && valueForBranch(next, root, value));
        }}
      >
        {(!isRequired || current < 0) && <option value="-1">{none}</option>}
        {branches.map((one, i) => (
          <option key={i} value={String(i)}>
            {branchLabel(one, root)}
          </option>
        ))}
      </select>
      {(branch ? !isNull(branch) || value !== null : value !== undefined) && (
        <Field
          {...props}
          key={current}
          schema={branch ?? {}}
          isRequired
          label={label}
          problems={props.problems.filter(({ pointer }) => pointer !== props.pointer)}
          onChange={change}
        />
      )}
      {isTextOnly && <p class="problem">This is no number, and would be sent as text.</p>}
    </div>
  );
}
