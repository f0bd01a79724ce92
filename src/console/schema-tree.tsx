import type { JSX } from 'preact';
import type { JsonSchema } from '../schema/json-schema.ts';
import { expectation } from '../schema/problem.ts';
import { branchLabel, merged, shapeOf, takesNothing } from './form/shape.ts';
import { limitsOf } from './limits-of.ts';

/** Levels that are shown; schemas may be recursive. */
const DEEPEST = 6;

/** A schema for people: names, types, limits and descriptions, indented. */
export function SchemaTree({ schema }: { readonly schema: JsonSchema }): JSX.Element {
  const isObject = shapeOf(schema, schema).kind === 'object';
  if (isObject && takesNothing(schema, schema)) return <p class="muted">None.</p>;
  return <ul class="tree">{childrenOf(schema, schema, 0) ?? <Line schema={schema} root={schema} depth={0} />}</ul>;
}

interface LineProps {
  readonly name?: string;
  readonly isRequired?: boolean;
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly depth: number;
}

function Line({ name, isRequired, schema, root, depth }: LineProps): JSX.Element {
  const known = merged(schema, root);
  const limits = limitsOf(known);
  const inner = childrenOf(schema, root, depth + 1);
  return (
    <li>
      <div class="line">
        {name !== undefined && <code class="name">{name}</code>}
        <span class="type">{typeText(known)}</span>
        {isRequired && <span class="badge">required</span>}
        {known['deprecated'] === true && <span class="badge warn">deprecated</span>}
        {limits && <span class="limits">{limits}</span>}
      </div>
      {known.description && <div class="description">{known.description}</div>}
      {inner && <ul>{depth < DEEPEST ? inner : <li class="muted">…</li>}</ul>}
    </li>
  );
}

function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema['anyOf'] ?? schema['oneOf'])) return 'one of';
  const { format: _, ...rest } = schema;
  return expectation(rest).slice(0, 200);
}

function childrenOf(schema: JsonSchema, root: JsonSchema, depth: number): JSX.Element[] | undefined {
  if (depth > DEEPEST) return undefined;
  const shape = shapeOf(schema, root);
  const at = depth;
  if (shape.kind === 'object') {
    const lines = shape.properties.map((one) => (
      <Line key={one.name} name={one.name} isRequired={one.isRequired} schema={one.schema} root={root} depth={at} />
    ));
    if (shape.rest) lines.push(<Line key="*" name="any other key" schema={shape.rest} root={root} depth={at} />);
    return lines.length > 0 ? lines : undefined;
  }
  if (shape.kind === 'list') {
    const items = shape.items ? [...shape.first, shape.items] : shape.first;
    return items.map((item, i) => (
      <Line key={i} name={i < shape.first.length ? `[${i}]` : '[…]'} schema={item} root={root} depth={at} />
    ));
  }
  if (shape.kind !== 'union') return undefined;
  return shape.branches.map((branch, i) => (
    <Line key={i} name={branchLabel(branch, root)} schema={branch} root={root} depth={at} />
  ));
}
