import { isTooDeep } from './bounds.ts';
import { engineOf } from './engine/engine.ts';
import { below, depthOf, pointerAt } from './engine/place.ts';
import type { Place } from './engine/place.ts';
import { Run } from './engine/run.ts';
import { discriminatorOf, possibleBranches } from './engine/union-branches.ts';
import { structureFromText } from './from-text.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  MORE_STEPS,
  MAX_STEPS,
  MAX_REPAIRS,
  NO_STEPS,
  concat,
  eachStep,
  unwrapped,
  append,
  shortened,
} from './repair-steps.ts';
import type { Repair, Step, Steps } from './repair-steps.ts';
import { hasType, resolve, schemaForItem, schemasFor, typesOf, unionsOf } from './schema-tree.ts';
import { READERS, isSame } from './string-readers.ts';
import type { Read } from './string-readers.ts';

export { shortened } from './repair-steps.ts';
export type { Repair } from './repair-steps.ts';

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/**
 * Converts what models and forms send instead of a value ("10", "true", JSON in a string, null for "not given") to the
 * value itself, if the schema is unambiguous and nothing is lost. Never changes what the schema accepts. Leaves what
 * cannot be repaired for the check to report.
 */
export function repair(value: unknown, schema: JsonSchema, root: JsonSchema): Repaired {
  const { value: repaired, steps } = new Repairer(root).repair(value, schema, undefined);
  const repairs: Repair[] = [];
  for (const { place, did } of eachStep(steps)) {
    repairs.push({ pointer: pointerAt(place), did });
    if (repairs.length > MAX_REPAIRS) break;
  }
  return { value: repaired, repairs: shortened(repairs) };
}

interface Done {
  readonly value: unknown;
  readonly steps: Steps;
}

class Repairer {
  readonly #engine;
  readonly #needsMemo: boolean;
  #count = 0;
  /** Shared by all checks of this repair, so that each schema checks each object once. */
  readonly #run: Run;
  /** Memo: what each schema made of each object, even if many branches lead there. */
  readonly #done = new Map<JsonSchema, Map<object, Done>>();
  /** Memo: parsed JSON strings by pointer, shared by the branches of a union. */
  readonly #parsed = new Map<string, Map<string, object | undefined>>();

  constructor(private readonly root: JsonSchema) {
    this.#engine = engineOf(root);
    this.#needsMemo = this.#engine.needsMemo;
    this.#run = new Run(this.#needsMemo);
  }

  repair(value: unknown, declared: JsonSchema, place: Place | undefined): Done {
    const schema = resolve({ schema: declared, root: this.root });
    if (typeof value !== 'object' || value === null || !this.#needsMemo) return this.#repair(value, schema, place);
    let known = this.#done.get(schema);
    if (!known) this.#done.set(schema, (known = new Map()));
    let done = known.get(value);
    if (!done) known.set(value, (done = this.#repair(value, schema, place)));
    return done;
  }

  #repair(value: unknown, schema: JsonSchema, place: Place | undefined): Done {
    const read = typeof value === 'string' ? this.#asDeclared(value, schema, place) : { value, steps: NO_STEPS };
    if (typeof value === 'string' && typeof read.value === 'object') {
      if (isTooDeep(read.value, depthOf(place))) return read; // for the check of bounds to report
      const done = this.repair(read.value, schema, place);
      return { value: done.value, steps: concat(read.steps, done.steps) };
    }
    let done = this.#inside(read, schema, place);
    for (const branches of unionsOf(schema)) done = this.#branch(done, branches, place);
    return done;
  }

  #accepts(value: unknown, schema: JsonSchema | boolean): boolean {
    return this.#engine.accepts(value, schema, this.#run);
  }

  #inside(before: Done, schema: JsonSchema, place: Place | undefined): Done {
    const { value } = before;
    if (Array.isArray(value)) return this.#parts(this.#items(value, before.steps, schema, place), schema, place);
    if (isRecord(value)) return this.#parts(this.#fields(value, before.steps, schema, place), schema, place);
    return before;
  }

  #asDeclared(value: string, schema: JsonSchema, place: Place | undefined): Done {
    const types = typesOf(schema);
    const same = { value, steps: NO_STEPS };
    if (!types || (schema.type !== undefined && types.includes('string')) || this.#accepts(value, schema)) return same;
    let found: Read | undefined;
    for (const type of types) {
      const read = READERS[type]?.(value, (text) => this.#structure(text, place));
      if (!read || !hasType(read.value, type) || (found && isSame(read, found))) continue;
      // Ambiguous ("1" could be a number or a boolean): left unchanged.
      if (found) return same;
      found = read;
    }
    return found ? { value: found.value, steps: this.#step(place, found.did) } : same;
  }

  #step(place: Place | undefined, did: Repair['did']): Step {
    return ++this.#count > MAX_STEPS ? MORE_STEPS : { place, did };
  }

  /** JSON in JSON: parsing once per branch would multiply the time by the number of branches at each level. */
  #structure(text: string, place: Place | undefined): object | undefined {
    if (!this.#needsMemo) return structureFromText(text);
    const pointer = pointerAt(place);
    let known = this.#parsed.get(pointer);
    if (!known) this.#parsed.set(pointer, (known = new Map()));
    if (!known.has(text)) known.set(text, structureFromText(text));
    return known.get(text);
  }

  #items(items: readonly unknown[], before: Steps, schema: JsonSchema, place: Place | undefined): Done {
    let copy: unknown[] | undefined;
    const steps: Steps[] = [];
    for (let i = 0; i < items.length; i++) {
      const declared = schemaForItem(schema, i);
      if (!isRecord(declared)) continue;
      const done = this.repair(items[i], declared, below(place, i));
      if (done.value === items[i]) continue;
      (copy ??= [...items])[i] = done.value;
      append(steps, done.steps);
    }
    return copy ? { value: copy, steps: concat(before, unwrapped(steps)) } : { value: items, steps: before };
  }

  #fields(fields: Record<string, unknown>, before: Steps, schema: JsonSchema, place: Place | undefined): Done {
    let copy: Record<string, unknown> | undefined;
    const steps: Steps[] = [];
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      const declared = schemasFor(schema, name).filter(isRecord);
      if (declared.length === 0) continue;
      const isNullable = () => declared.every((one) => this.#accepts(null, one));
      // Not an entry of a map: its key is data.
      const isOptional = () => Object.hasOwn(schema.properties ?? {}, name) && !schema.required?.includes(name);
      if (value === null && isOptional() && !isNullable()) {
        delete (copy ??= { ...fields })[name];
        append(steps, this.#step(below(place, name), 'null dropped'));
        continue;
      }
      let fitting = value;
      for (const one of declared) {
        const done = this.repair(fitting, one, below(place, name));
        if (done.value === fitting) continue;
        fitting = done.value;
        append(steps, done.steps);
      }
      if (fitting === value) continue;
      // Plain assignment to the key `__proto__` would set the prototype.
      Object.defineProperty((copy ??= { ...fields }), name, { ...OWN, value: fitting });
    }
    return copy ? { value: copy, steps: concat(before, steps) } : { value: fields, steps: before };
  }

  /** Applies the subschemas for the same object or array. */
  #parts(before: Done, schema: JsonSchema, place: Place | undefined): Done {
    let { value, steps } = before;
    const apply = (part: unknown) => {
      if (!isRecord(part)) return;
      const done = this.repair(value, part, place);
      if (done.value === value) return;
      value = done.value;
      steps = concat(steps, done.steps);
    };
    for (const part of (schema['allOf'] ?? []) as readonly unknown[]) apply(part);
    const dependent = (schema['dependentSchemas'] ?? {}) as Record<string, unknown>;
    for (const name of Object.keys(dependent)) if (Object.hasOwn(value as object, name)) apply(dependent[name]);
    const condition = schema['if'];
    if (condition !== undefined) apply(schema[this.#accepts(value, condition as JsonSchema) ? 'then' : 'else']);
    return { value, steps };
  }

  /** Repairs the field that tells the branches of a union apart: as a string, it would rule out all of them. */
  #discriminated(before: Done, branches: readonly JsonSchema[], place: Place | undefined): Done {
    const { value } = before;
    const discriminator = isRecord(value) ? discriminatorOf(branches, this.root) : undefined;
    if (!discriminator || !isRecord(value) || !Object.hasOwn(value, discriminator.name)) return before;
    const { name, values, untagged } = discriminator;
    const text = value[name];
    if (typeof text !== 'string' || values.has(text) || untagged.length > 0) return before;
    const read = readAs(text, values.keys());
    if (!read) return before;
    const repaired = Object.defineProperty({ ...value }, name, { ...OWN, value: read.value });
    return { value: repaired, steps: concat(before.steps, this.#step(below(place, name), read.did)) };
  }

  /** Repairs by the branches of a union, if none accepts the value as it is and their results agree. */
  #branch(given: Done, branches: readonly JsonSchema[], place: Place | undefined): Done {
    const before = this.#discriminated(given, branches, place);
    const { value } = before;
    // A string can be repaired for any branch; other values only for branches of their type and discriminator.
    const meant = typeof value === 'string' ? branches : possibleBranches(value, branches, this.root);
    if (meant.some((branch) => this.#accepts(value, branch))) return before;
    const repaired = meant
      .filter(isRecord)
      .map((branch) => ({ branch: branch as JsonSchema, ...this.repair(value, branch, place) }));
    const fitting = repaired.filter((one) => one.value !== value && this.#accepts(one.value, one.branch));
    const [first] = meant.length === 1 && typeof value !== 'string' ? repaired : fitting;
    // Ambiguous: "1" could be a number or a boolean.
    const isDoubtful =
      typeof value === 'string' && new Set(fitting.map((one) => one.value)).size > 1 && !fitting.every(isStructure);
    return first && !isDoubtful ? { value: first.value, steps: concat(before.steps, first.steps) } : before;
  }
}

/** The listed value that a string stands for; undefined if there is none, or more than one. */
function readAs(text: string, listed: Iterable<unknown>): Read | undefined {
  const found = [...listed].flatMap((value): Read[] => {
    const read = READERS[typeof value]?.(text, structureFromText);
    return read && read.value === value ? [read] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

const OWN = { writable: true, enumerable: true, configurable: true };
const isStructure = ({ value }: Done) => typeof value === 'object';
