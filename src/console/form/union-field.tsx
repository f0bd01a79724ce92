import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { InnerProps } from './field-props.ts';
import { branchOf, initialValue } from './initial.ts';
import { branchLabel, shapeOf } from './shape.ts';

/** Several possibilities: a chooser, and what was chosen. */
export function UnionField(props: InnerProps & { readonly branches: readonly JsonSchema[] }): JSX.Element {
  const { Field, branches, root, value, onChange, isRequired, label } = props;
  const [picked, setPicked] = useState<number | undefined>(undefined);
  const found = value === undefined ? -1 : branchOf(value, branches, root);
  // What was picked counts until the value is one of another branch.
  const fits =
    picked !== undefined && (found < 0 || value === undefined || branchOf(value, [branches[picked]!], root) === 0);
  const current = fits ? picked : found >= 0 ? found : isRequired ? 0 : -1;
  const branch = branches[current];
  return (
    <div class="union">
      <select
        aria-label={`Kind of ${label}`}
        value={String(current)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          setPicked(next < 0 ? undefined : next);
          onChange(next < 0 ? undefined : initialValue(branches[next]!, root));
        }}
      >
        {!isRequired && <option value="-1">not given</option>}
        {branches.map((one, i) => (
          <option key={i} value={String(i)}>
            {branchLabel(one, root)}
          </option>
        ))}
      </select>
      {branch && shapeOf(branch, root).kind !== 'null' && (
        <Field
          {...props}
          key={current}
          schema={branch}
          isRequired
          label={label}
          problems={props.problems.filter(({ pointer }) => pointer !== props.pointer)}
          onChange={onChange}
        />
      )}
    </div>
  );
}
