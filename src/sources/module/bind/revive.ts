import { Failure } from '../../../core/failure.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { branchesOf, resolve, schemaForItem, schemasFor } from '../../../schema/schema-tree.ts';
import { truncate } from '../../../schema/truncate.ts';
import { SHAPE } from '../shape.ts';
import type { Shape } from '../shape.ts';
import { bestBranch } from './best-branch.ts';
import { matches } from './matches.ts';
import { publicSchema } from './public-schema.ts';

/** Makes sets, maps and addresses of valid arguments. Dates, big integers and bytes have been made before. */
export function compileShapes(root: JsonSchema): (value: unknown) => unknown {
  const reviver = new Reviver(root);
  return (value) => reviver.shaped(value, root);
}

class Reviver {
  /** Schemas with shapes describe JSON here, and not what becomes of it. */
  readonly #json: JsonSchema;
  readonly #branches = new Map<JsonSchema, JsonSchema>();

  constructor(private readonly root: JsonSchema) {
    this.#json = publicSchema(root);
  }

  shaped(value: unknown, declared: unknown): unknown {
    if (!isRecord(declared) || value === null || value === undefined) return value;
    const schema = resolve({ schema: declared, root: this.root });
    const branches = branchesOf(schema);
    if (branches) {
      const fitting = branches.filter((branch) => this.#fits(value, branch));
      return this.shaped(value, bestBranch(value, fitting, this.root));
    }
    const inner = this.#inside(value, schema);
    const shape = schema[SHAPE] as Shape | undefined;
    return shape === undefined ? inner : (SHAPES[shape]?.(inner) ?? inner);
  }

  #fits(value: unknown, branch: JsonSchema): boolean {
    let json = this.#branches.get(branch);
    if (!json) this.#branches.set(branch, (json = publicSchema(branch)));
    return matches(value, json, { root: this.#json, known: new Map(), isSent: true });
  }

  #inside(value: unknown, schema: JsonSchema): unknown {
    if (Array.isArray(value)) return value.map((item: unknown, i) => this.shaped(item, schemaForItem(schema, i)));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, this.shaped(field, schemasFor(schema, name)[0])]),
    );
  }
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
