import { AppliedSchemas } from './applied.ts';
import { fromFileForm, isBlob, isFileSchema } from './file-form.ts';
import type { FileForm } from './file-form.ts';
import { FORM_KEYWORD, isRecord } from './json-schema.ts';
import type { Forms, JsonSchema } from './json-schema.ts';
import { resolve } from './schema-tree.ts';
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
  return (value) => new Reviver(root, fillDefaults).revive(value, [schema]);
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

class Reviver {
  readonly #applied: AppliedSchemas;

  constructor(
    private readonly root: JsonSchema,
    private readonly fillDefaults: boolean,
  ) {
    this.#applied = new AppliedSchemas(root);
  }

  /** Visits each part of the value once, with all schemas that apply to it, so that none judges what another has revived. */
  revive(value: unknown, declared: readonly unknown[]): unknown {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
    const isObject = typeof value === 'object';
    const schemas = this.#applied.to(value, declared, !isObject);
    const { isAmbiguous } = this.#applied;
    for (const schema of schemas) {
      if (isForm(schema) && typeof value === 'string') return formReaders[schema[FORM_KEYWORD] as keyof Forms](value);
      if (isFileSchema(schema) && isRecord(value))
        return isBlob(value) ? value : fromFileForm(value as unknown as FileForm);
    }
    if (!isObject || schemas.length === 0) return value;
    if (Array.isArray(value)) return this.#items(value, schemas);
    const revived = this.#fields(value as Record<string, unknown>, schemas);
    if (!this.fillDefaults) return revived;
    // Defaults of a second branch could contradict the first.
    return this.#defaults(revived, isAmbiguous ? this.#applied.to(value, declared, true) : schemas);
  }

  #items(items: readonly unknown[], schemas: readonly JsonSchema[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    const all = this.#applied.ofAllItems(schemas);
    for (let i = 0; i < items.length; i++) {
      const revived = this.revive(items[i], all ?? this.#applied.ofItem(items, i, schemas));
      if (revived !== items[i]) (copy ??= [...items])[i] = revived;
    }
    return copy ?? items;
  }

  #fields(fields: Record<string, unknown>, schemas: readonly JsonSchema[]): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(fields)) {
      const revived = this.revive(fields[name], this.#applied.ofField(fields, name, schemas));
      if (revived !== fields[name]) set((copy ??= { ...fields }), name, revived);
    }
    return copy ?? fields;
  }

  #defaults(fields: Record<string, unknown>, schemas: readonly JsonSchema[]): object {
    let copy: Record<string, unknown> | undefined;
    for (const { properties = {} } of schemas) {
      for (const name of Object.keys(properties)) {
        const given = copy ?? fields;
        // Calls within the process may pass undefined for a missing field.
        if (Object.hasOwn(given, name) && given[name] !== undefined) continue;
        const declared = properties[name]!;
        const { default: fallback } = isRecord(declared) ? resolve({ schema: declared, root: this.root }) : {};
        if (fallback !== undefined) set((copy ??= { ...fields }), name, this.revive(ownCopy(fallback), [declared]));
      }
    }
    return copy ?? fields;
  }
}

function set(fields: Record<string, unknown>, name: string, value: unknown): void {
  // Plain assignment to the key `__proto__` would set the prototype.
  if (name === '__proto__') Object.defineProperty(fields, name, { ...OWN, value });
  else fields[name] = value;
}

const OWN = { writable: true, enumerable: true, configurable: true };

/** A function may modify its arguments, but must not modify the default. */
const ownCopy = (value: unknown) => (typeof value === 'object' ? structuredClone(value) : value);
