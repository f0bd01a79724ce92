import { Failure } from '../../../core/failure.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { branchesOf, resolve, schemaForItem, schemasFor } from '../../../schema/schema-tree.ts';
import { truncate } from '../../../schema/truncate.ts';
import { SHAPE } from '../shape.ts';
import type { Shape } from '../shape.ts';
import { matches } from './matches.ts';

/** Makes sets, maps and addresses of valid arguments. Dates, big integers and bytes have been made before. */
export function compileShapes(root: JsonSchema): (value: unknown) => unknown {
  return (value) => shaped(value, root, root);
}

function shaped(value: unknown, declared: unknown, root: JsonSchema): unknown {
  if (!isRecord(declared) || value === null || value === undefined) return value;
  const schema = resolve({ schema: declared, root });
  const branches = branchesOf(schema);
  if (branches)
    return shaped(
      value,
      branches.find((branch) => fits(value, branch, root)),
      root,
    );
  const inner = inside(value, schema, root);
  const shape = schema[SHAPE] as Shape | undefined;
  return shape === undefined ? inner : (SHAPES[shape]?.(inner) ?? inner);
}

/** A branch with shapes describes JSON here, and not what becomes of it. */
function fits(value: unknown, branch: JsonSchema, root: JsonSchema): boolean {
  const { [SHAPE]: _, ...json } = resolve({ schema: branch, root });
  return matches(value, json, root, new Map());
}

function inside(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, i) => shaped(item, schemaForItem(schema, i), root));
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, field]) => [name, shaped(field, schemasFor(schema, name)[0], root)]),
  );
}

const SHAPES: Partial<Record<Shape, (value: unknown) => unknown>> = {
  set: (items) => new Set(items as unknown[]),
  map: (fields) => new Map(Object.entries(fields as object)),
  entries: (pairs) => new Map(pairs as [unknown, unknown][]),
  url: (text) => toUrl(text as string),
  buffer: (bytes) => Buffer.from(bytes as Uint8Array),
  'array-buffer': (bytes) => (bytes as Uint8Array).slice().buffer,
};

/** The format is checked before, but not by the same rules. */
function toUrl(text: string): unknown {
  if (!URL.canParse(text))
    throw new Failure('INVALID_ARGUMENTS', `${JSON.stringify(truncate(text, 100))} is not a valid URL`);
  return new URL(text);
}
