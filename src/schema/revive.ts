import { accepts } from './accepts.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { Forms, JsonSchema } from './json-schema.ts';
import { branchesOf, resolve, schemasFor } from './schema-tree.ts';
import { readers } from './wire-forms.ts';

/** Brings checked JSON into the form a handler expects. */
export type Revive = (value: unknown) => unknown;

/**
 * Reads declared forms (see wire-forms.ts) and fills in declared defaults. Undefined when a schema has
 * neither, so that most calls pay nothing. Schema libraries apply their own defaults. References lead into the root.
 */
export function compileRevive(schema: JsonSchema, fillDefaults: boolean, root = schema): Revive | undefined {
  const matters = (inner: JsonSchema) => isForm(inner) || (fillDefaults && 'default' in inner);
  if (!anyInside(schema, root, matters)) return undefined;
  const work = new Work(root, fillDefaults);
  return (value) => work.revive(value, schema);
}

/** Whether a schema declares that its text stands for something else. */
function isForm(schema: JsonSchema): boolean {
  return Object.hasOwn(readers, String(schema[FORM_KEYWORD]));
}

/** Whether a schema has forms anywhere. */
export function hasForms(root: JsonSchema): boolean {
  return anyInside(root, root, isForm);
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

class Work {
  constructor(
    private readonly root: JsonSchema,
    private readonly fillDefaults: boolean,
  ) {}

  revive(value: unknown, declared: unknown): unknown {
    if (typeof declared !== 'object' || declared === null) return value;
    const schema = resolve({ schema: declared as JsonSchema, root: this.root });
    if (isForm(schema) && typeof value === 'string') return readers[schema[FORM_KEYWORD] as keyof Forms](value);
    const own = this.#inside(value, schema);
    const whole = ((schema['allOf'] ?? []) as readonly JsonSchema[]).reduce(
      (sofar, part) => this.revive(sofar, part),
      own,
    );
    // Of a union, the branch that the value was accepted by; the others have nothing to say.
    const branch = branchesOf(schema)?.find((one) => accepts(value, one, this.root));
    return branch ? this.revive(whole, branch) : whole;
  }

  #inside(value: unknown, schema: JsonSchema): unknown {
    if (Array.isArray(value)) {
      const first = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
      return value.map((item, i) => this.revive(item, first[i] ?? schema.items));
    }
    return typeof value === 'object' && value !== null ? this.#fields(value, schema) : value;
  }

  #fields(fields: object, schema: JsonSchema): object {
    const entries = Object.entries(fields).map(([name, value]) => [
      name,
      schemasFor(schema, name).reduce<unknown>((sofar, declared) => this.revive(sofar, declared), value),
    ]);
    return Object.fromEntries([...entries, ...this.#defaults(fields, schema.properties ?? {})]) as object;
  }

  #defaults(fields: object, properties: NonNullable<JsonSchema['properties']>): [string, unknown][] {
    if (!this.fillDefaults) return [];
    return Object.entries(properties).flatMap(([name, declared]): [string, unknown][] => {
      const { default: fallback } = resolve({ schema: declared, root: this.root });
      const fills = fallback !== undefined && !Object.hasOwn(fields, name);
      return fills ? [[name, this.revive(structuredClone(fallback), declared)]] : [];
    });
  }
}
