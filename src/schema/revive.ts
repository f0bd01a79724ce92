import { engineOf } from './engine/engine.ts';
import { Run } from './engine/run.ts';
import { fromFileForm, isBlob, isFileSchema } from './file-form.ts';
import type { FileForm } from './file-form.ts';
import { FORM_KEYWORD, isRecord } from './json-schema.ts';
import type { Forms, JsonSchema } from './json-schema.ts';
import { branchesOf, resolve, schemaForItem, schemasFor } from './schema-tree.ts';
import { formReaders } from './wire-forms.ts';

/** Converts valid JSON to the values that a handler expects. */
export type Revive = (value: unknown) => unknown;

/**
 * Decodes wire forms (see wire-forms.ts) and fills in defaults. Undefined if the schema has neither, so that most calls
 * pay nothing. Schema libraries apply their own defaults. References are resolved in the root.
 */
export function compileRevive(schema: JsonSchema, fillDefaults: boolean, root = schema): Revive | undefined {
  const matters = (inner: JsonSchema) => isForm(inner) || isFileSchema(inner) || (fillDefaults && 'default' in inner);
  if (!anyInside(schema, root, matters)) return undefined;
  return (value) => new Reviver(root, fillDefaults).revive(value, schema);
}

/** Whether a schema declares a wire form. */
function isForm(schema: JsonSchema): boolean {
  return FORM_KEYWORD in schema && Object.hasOwn(formReaders, String(schema[FORM_KEYWORD]));
}

/** Whether a schema has wire forms anywhere. */
export function hasWireForms(root: JsonSchema): boolean {
  return anyInside(root, root, (schema) => isForm(schema) || isFileSchema(schema));
}

/** Whether a schema has files anywhere. */
export function hasFiles(root: JsonSchema): boolean {
  return anyInside(root, root, isFileSchema);
}

function anyInside(
  schema: unknown,
  root: JsonSchema,
  found: (schema: JsonSchema) => boolean,
  seen = new Set<unknown>(),
): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  const whole = resolve({ schema: schema as JsonSchema, root });
  return found(whole) || Object.values(whole).some((inner) => anyInside(inner, root, found, seen));
}

/** Keywords that apply further schemas to the same value. */
const PARTS = ['allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];

class Reviver {
  readonly #engine;
  readonly #run: Run;
  readonly #needsMemo: boolean;
  /** Memo: what each schema made of each object, even if many branches lead there. */
  readonly #done = new Map<JsonSchema, Map<object, unknown>>();

  constructor(
    private readonly root: JsonSchema,
    private readonly fillDefaults: boolean,
  ) {
    this.#engine = engineOf(root);
    this.#needsMemo = this.#engine.needsMemo;
    this.#run = new Run(this.#needsMemo);
  }

  revive(value: unknown, declared: unknown): unknown {
    if (typeof declared !== 'object' || declared === null) return value;
    const schema = resolve({ schema: declared as JsonSchema, root: this.root });
    if (isForm(schema) && typeof value === 'string') return formReaders[schema[FORM_KEYWORD] as keyof Forms](value);
    if (isFileSchema(schema) && isRecord(value))
      return isBlob(value) ? value : fromFileForm(value as unknown as FileForm);
    if (typeof value !== 'object' || value === null || !this.#needsMemo) return this.#revive(value, schema);
    let known = this.#done.get(schema);
    if (!known) this.#done.set(schema, (known = new Map()));
    let done = known.get(value);
    if (done === undefined) known.set(value, (done = this.#revive(value, schema)));
    return done;
  }

  #revive(value: unknown, schema: JsonSchema): unknown {
    let whole = this.#inside(value, schema);
    if (!PARTS.some((keyword) => keyword in schema)) return whole;
    for (const part of this.#parts(value, schema)) whole = this.revive(whole, part);
    return whole;
  }

  /** The schemas that apply to the same value. */
  #parts(value: unknown, schema: JsonSchema): unknown[] {
    const accepts = (part: unknown) => this.#engine.accepts(value, part as JsonSchema | boolean, this.#run);
    const parts = [...((schema['allOf'] ?? []) as readonly unknown[])];
    const dependent = isRecord(value) ? ((schema['dependentSchemas'] ?? {}) as Record<string, unknown>) : {};
    for (const name of Object.keys(dependent)) if (Object.hasOwn(value as object, name)) parts.push(dependent[name]);
    if ('if' in schema) parts.push(schema[accepts(schema['if']) ? 'then' : 'else']);
    // Of a union, only the branch that accepts the value.
    parts.push(branchesOf(schema)?.find(accepts));
    return parts;
  }

  #inside(value: unknown, schema: JsonSchema): unknown {
    if (Array.isArray(value)) return this.#items(value, schema);
    return isRecord(value) ? this.#fields(value, schema) : value;
  }

  #items(items: readonly unknown[], schema: JsonSchema): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let i = 0; i < items.length; i++) {
      const revived = this.revive(items[i], schemaForItem(schema, i));
      if (revived !== items[i]) (copy ??= [...items])[i] = revived;
    }
    return copy ?? items;
  }

  #fields(fields: Record<string, unknown>, schema: JsonSchema): object {
    let copy: Record<string, unknown> | undefined;
    const set = (name: string, value: unknown) => {
      copy ??= { ...fields };
      // Plain assignment to the key `__proto__` would set the prototype.
      if (name === '__proto__') Object.defineProperty(copy, name, { ...OWN, value });
      else copy[name] = value;
    };
    for (const name of Object.keys(fields)) {
      let revived = fields[name];
      for (const declared of schemasFor(schema, name)) revived = this.revive(revived, declared);
      if (revived !== fields[name]) set(name, revived);
    }
    const properties = this.fillDefaults ? (schema.properties ?? {}) : {};
    for (const name of Object.keys(properties)) {
      // Calls within the process may pass undefined for a missing field.
      if (Object.hasOwn(fields, name) && fields[name] !== undefined) continue;
      const declared = properties[name]!;
      const { default: fallback } = isRecord(declared) ? resolve({ schema: declared, root: this.root }) : {};
      if (fallback !== undefined) set(name, this.revive(ownCopy(fallback), declared));
    }
    return copy ?? fields;
  }
}

const OWN = { writable: true, enumerable: true, configurable: true };

/** A function may modify its arguments, but must not modify the default. */
const ownCopy = (value: unknown) => (typeof value === 'object' ? structuredClone(value) : value);
