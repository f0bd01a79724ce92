import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { JsonSchema } from '../schema/json-schema.ts';
import { expectation } from '../schema/problem.ts';
import { branchLabel, merged, shapeOf, takesNothing } from './form/shape.ts';
import { limitsOf } from './limits-of.ts';

/** Levels that are shown. */
const DEEPEST = 6;

/** Lines below the first level that are shown: types that refer to one another multiply. */
const MOST = 500;

/** A schema for people: names, types, limits and descriptions, indented. */
export function SchemaTree({ schema }: { readonly schema: JsonSchema }): JSX.Element {
  const lines = useMemo(() => linesOf(schema), [schema]);
  const isObject = shapeOf(schema, schema).kind === 'object';
  if (isObject && takesNothing(schema, schema)) return <p class="muted">None.</p>;
  return (
    <ul class="tree">
      {lines.map((line, i) => (
        <Line key={i} line={line} />
      ))}
    </ul>
  );
}

interface TreeLine {
  readonly name?: string;
  readonly isRequired?: boolean;
  readonly schema: JsonSchema;
  readonly known: JsonSchema;
  readonly depth: number;
  /** The references that lead here. */
  readonly path: readonly unknown[];
  inner: readonly TreeLine[];
  /** What is inside is not shown. */
  isCut: boolean;
}

/** Level by level, so that the first ones are complete if there are too many. */
function linesOf(root: JsonSchema): readonly TreeLine[] {
  const start = lineOf({ schema: root }, root);
  const first = innerOf(start, root);
  if (first.length === 0) return [start];
  const waiting = [...first];
  let left = MOST;
  for (const line of waiting) {
    const inner = innerOf(line, root);
    const { $ref } = line.schema;
    line.isCut =
      inner.length > left ||
      (inner.length > 0 && (line.depth > DEEPEST || ($ref && line.path.includes($ref)) === true));
    if (line.isCut) continue;
    left -= inner.length;
    line.inner = inner;
    waiting.push(...inner);
  }
  return first;
}

type Named = Pick<TreeLine, 'name' | 'isRequired' | 'schema'>;

function lineOf(named: Named, root: JsonSchema, parent?: TreeLine): TreeLine {
  return {
    ...named,
    known: merged(named.schema, root),
    depth: parent ? parent.depth + 1 : 0,
    // A reference to the whole schema leads back, too.
    path: parent ? [...parent.path, parent.schema['$ref']] : ['#'],
    inner: [],
    isCut: false,
  };
}

const innerOf = (line: TreeLine, root: JsonSchema) =>
  partsOf(line.schema, root).map((named) => lineOf(named, root, line));

function partsOf(schema: JsonSchema, root: JsonSchema): readonly Named[] {
  const shape = shapeOf(schema, root);
  switch (shape.kind) {
    case 'object':
      return shape.rest ? [...shape.properties, { name: 'any other key', schema: shape.rest }] : shape.properties;
    case 'list':
      return [
        ...shape.first.map((item, i) => ({ name: `[${i}]`, schema: item })),
        ...(shape.items ? [{ name: '[…]', schema: shape.items }] : []),
      ];
    case 'union':
      return shape.branches.map((branch) => ({ name: branchLabel(branch, root), schema: branch }));
    default:
      return [];
  }
}

function Line({ line }: { readonly line: TreeLine }): JSX.Element {
  const { name, isRequired, known, inner, isCut } = line;
  const limits = limitsOf(known);
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
      {(isCut || inner.length > 0) && (
        <ul>
          {isCut && <li class="muted">…</li>}
          {inner.map((one, i) => (
            <Line key={i} line={one} />
          ))}
        </ul>
      )}
    </li>
  );
}

function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema['anyOf'] ?? schema['oneOf'])) return 'one of';
  const { format: _, ...rest } = schema;
  return expectation(rest).slice(0, 200);
}
