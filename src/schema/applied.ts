import { engineOf } from './engine/engine.ts';
import { Evaluated } from './engine/evaluated.ts';
import { Run } from './engine/run.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { SAME_VALUE, resolve, schemaForItem, schemasFor } from './schema-tree.ts';

/**
 * Finds the schemas that apply to a valid value and to its parts: behind references, and of unions and conditions the
 * branches that accept it. What is pruned and what is revived depends on the same schemas.
 */
export class AppliedSchemas {
  readonly #engine;
  readonly #run: Run;
  /** Whether several branches of a union accepted the value that was asked for last. */
  isAmbiguous = false;

  constructor(private readonly root: JsonSchema) {
    this.#engine = engineOf(root);
    this.#run = new Run(this.#engine.needsMemo);
  }

  /** `isFirst`: of each `anyOf`, only the first branch that accepts the value. */
  to(value: unknown, declared: readonly unknown[], isFirst = false): readonly JsonSchema[] {
    this.isAmbiguous = false;
    if (declared.length === 1) {
      const [only] = declared;
      if (!isRecord(only)) return [];
      const schema = resolve({ schema: only, root: this.root });
      if (!SAME_VALUE.some((keyword) => keyword in schema))
        return schema === only ? (declared as [JsonSchema]) : [schema];
    }
    const found = new Set<JsonSchema>();
    const add = (part: unknown) => {
      if (!isRecord(part)) return;
      const schema = resolve({ schema: part, root: this.root });
      if (found.has(schema)) return;
      found.add(schema);
      for (const one of listOf(schema['allOf'])) add(one);
      for (const branches of [schema['anyOf'], schema['oneOf']]) {
        let accepting = 0;
        for (const one of listOf(branches)) {
          if (!this.#accepts(value, one)) continue;
          add(one);
          if (isFirst) break;
          if (++accepting > 1) this.isAmbiguous = true;
        }
      }
      const dependent = isRecord(value) ? ((schema['dependentSchemas'] ?? {}) as Record<string, unknown>) : {};
      for (const name of Object.keys(dependent)) {
        if (Object.hasOwn(value as object, name) && (value as Record<string, unknown>)[name] !== undefined)
          add(dependent[name]);
      }
      if (!('if' in schema)) return;
      const holds = this.#accepts(value, schema['if']);
      if (holds) add(schema['if']);
      add(schema[holds ? 'then' : 'else']);
    };
    for (const schema of declared) add(schema);
    return [...found];
  }

  /** The schemas of a field of an object, to which these apply. */
  ofField(value: object, name: string, schemas: readonly JsonSchema[]): unknown[] {
    const [only] = schemas;
    if (only && schemas.length === 1 && !('unevaluatedProperties' in only)) return schemasFor(only, name);
    return schemas.flatMap((schema) => {
      const found = schemasFor(schema, name);
      const others = schema['unevaluatedProperties'];
      const isOther = found.length === 0 && others !== undefined && !this.#evaluated(value, schema).hasName(name);
      return isOther ? [others] : found;
    });
  }

  /** The schemas of all items of a list, if they are the same: most lists are of one type. */
  ofAllItems(schemas: readonly JsonSchema[]): readonly unknown[] | undefined {
    const [only, other] = schemas;
    return !only || other || INDEXED.some((keyword) => keyword in only) ? undefined : [only.items];
  }

  /** The schemas of an item of a list, to which these apply. */
  ofItem(value: readonly unknown[], index: number, schemas: readonly JsonSchema[]): unknown[] {
    return schemas.flatMap((schema) => {
      const found: unknown[] = [];
      const own = schemaForItem(schema, index);
      if (own !== undefined) found.push(own);
      const { contains, unevaluatedItems } = schema;
      if (contains !== undefined && this.#accepts(value[index], contains)) found.push(contains);
      if (unevaluatedItems !== undefined && !this.#evaluated(value, schema).hasIndex(index))
        found.push(unevaluatedItems);
      return found;
    });
  }

  #accepts(value: unknown, schema: unknown): boolean {
    return this.#engine.accepts(value, schema as JsonSchema | boolean, this.#run);
  }

  /** The last answer, since it is needed for every field or item of a value. */
  #last: { readonly value: object; readonly schema: JsonSchema; readonly evaluated: Evaluated } | undefined;

  /** What the other keywords of a schema evaluate. */
  #evaluated(value: object, schema: JsonSchema): Evaluated {
    if (this.#last?.value === value && this.#last.schema === schema) return this.#last.evaluated;
    const evaluated = new Evaluated();
    this.#engine.node(withoutUnevaluated(schema)).evaluate(value, this.#run, evaluated);
    this.#last = { value, schema, evaluated };
    return evaluated;
  }
}

/** Keywords that do not apply to all items alike. */
const INDEXED = ['prefixItems', 'contains', 'unevaluatedItems'];

const listOf = (branches: unknown) => (branches ?? []) as readonly unknown[];

const others = new WeakMap<JsonSchema, JsonSchema>();

/** The same object each time, since the engine compiles it. */
function withoutUnevaluated(schema: JsonSchema): JsonSchema {
  let found = others.get(schema);
  if (!found) {
    const { unevaluatedProperties: _, unevaluatedItems: __, ...rest } = schema;
    others.set(schema, (found = rest));
  }
  return found;
}
