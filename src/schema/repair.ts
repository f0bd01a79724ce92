import { engineOf } from './engine/engine.ts';
import { below, pointerAt } from './engine/place.ts';
import type { Place } from './engine/place.ts';
import { Run } from './engine/run.ts';
import { possibleBranches } from './engine/union-branches.ts';
import { booleanFromText, numberFromText, structureFromText } from './from-text.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { branchesOf, hasType, resolve, schemaForItem, schemasFor, typesOf } from './schema-tree.ts';

/** What was changed in a caller's arguments, and where. Without values: they may be secret. */
export interface Repair {
  readonly pointer: string;
  readonly did:
    | 'text to number'
    | 'text to boolean'
    | 'text to JSON'
    | 'null dropped'
    | 'unknown field dropped'
    | 'more';
}

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

// Audit records list repairs; they need not list a hundred thousand.
const MOST = 100;
/** More than MOST, because repairs of union branches that are not taken are dropped. */
const KEPT = 10 * MOST;

/** The first repairs; a last entry says if there were more. */
export function shortened(repairs: readonly Repair[]): readonly Repair[] {
  return repairs.length > MOST ? [...repairs.slice(0, MOST), { pointer: '', did: 'more' }] : repairs;
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
    if (repairs.length > MOST) break;
  }
  return { value: repaired, repairs: shortened(repairs) };
}

interface Step {
  readonly place: Place | undefined;
  readonly did: Repair['did'];
}

/** A tree, so that the steps inside a value are not copied at every level above it. */
type Steps = Step | readonly Steps[];

interface Done {
  readonly value: unknown;
  readonly steps: Steps;
}

const NONE: readonly Steps[] = [];
const isNothing = (steps: Steps) => Array.isArray(steps) && steps.length === 0;
const both = (a: Steps, b: Steps): Steps => (isNothing(a) || a === b ? b : isNothing(b) ? a : [a, b]);

function* eachStep(steps: Steps): Generator<Step> {
  if (!Array.isArray(steps)) yield steps as Step;
  else for (const inner of steps as readonly Steps[]) yield* eachStep(inner);
}

/** Stands for all steps beyond the limit: keeping a hundred thousand would cost more than the repair. */
const FURTHER: Step = { place: undefined, did: 'more' };

/** Appends to a list, which needs FURTHER only once. */
function push(list: Steps[], steps: Steps): void {
  if (steps !== FURTHER || list.at(-1) !== FURTHER) list.push(steps);
}

/** Unwraps a list of one. */
const joined = (steps: readonly Steps[]): Steps => (steps.length === 1 ? steps[0]! : steps);

class Repairer {
  readonly #engine;
  readonly #needsMemo: boolean;
  #count = 0;
  /** Shared by all checks of this repair, so that each schema checks each object once. */
  readonly #run: Run;
  /** Memo: what each schema made of each object, even if many branches lead there. */
  readonly #done = new Map<JsonSchema, Map<object, Done>>();
  /** Memo: parsed JSON strings by pointer, shared by the branches of a union. */
  readonly #held = new Map<string, Map<string, object | undefined>>();

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
    const read = typeof value === 'string' ? this.#asDeclared(value, schema, place) : { value, steps: NONE };
    if (typeof value === 'string' && typeof read.value === 'object') {
      const done = this.repair(read.value, schema, place);
      return { value: done.value, steps: both(read.steps, done.steps) };
    }
    const own = this.#inside(read, schema, place);
    const branches = branchesOf(schema);
    return branches ? this.#branch(own, branches, place) : own;
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
    const same = { value, steps: NONE };
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
    return ++this.#count > KEPT ? FURTHER : { place, did };
  }

  /** JSON in JSON: parsing once per branch would multiply the time by the number of branches at each level. */
  #structure(text: string, place: Place | undefined): object | undefined {
    if (!this.#needsMemo) return structureFromText(text);
    const pointer = pointerAt(place);
    let known = this.#held.get(pointer);
    if (!known) this.#held.set(pointer, (known = new Map()));
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
      push(steps, done.steps);
    }
    return copy ? { value: copy, steps: both(before, joined(steps)) } : { value: items, steps: before };
  }

  #fields(fields: Record<string, unknown>, before: Steps, schema: JsonSchema, place: Place | undefined): Done {
    let copy: Record<string, unknown> | undefined;
    const steps: Steps[] = [];
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      const declared = schemasFor(schema, name).filter(isRecord);
      if (declared.length === 0) continue;
      const isNullable = () => declared.every((one) => this.#accepts(null, one));
      if (value === null && !schema.required?.includes(name) && !isNullable()) {
        delete (copy ??= { ...fields })[name];
        push(steps, this.#step(below(place, name), 'null dropped'));
        continue;
      }
      let fitting = value;
      for (const one of declared) {
        const done = this.repair(fitting, one, below(place, name));
        if (done.value === fitting) continue;
        fitting = done.value;
        push(steps, done.steps);
      }
      if (fitting === value) continue;
      // Plain assignment to the key `__proto__` would set the prototype.
      Object.defineProperty((copy ??= { ...fields }), name, { ...OWN, value: fitting });
    }
    return copy ? { value: copy, steps: both(before, steps) } : { value: fields, steps: before };
  }

  /** Applies the subschemas for the same object or array. */
  #parts(before: Done, schema: JsonSchema, place: Place | undefined): Done {
    let { value, steps } = before;
    const apply = (part: unknown) => {
      if (!isRecord(part)) return;
      const done = this.repair(value, part, place);
      if (done.value === value) return;
      value = done.value;
      steps = both(steps, done.steps);
    };
    for (const part of (schema['allOf'] ?? []) as readonly unknown[]) apply(part);
    const dependent = (schema['dependentSchemas'] ?? {}) as Record<string, unknown>;
    for (const name of Object.keys(dependent)) if (Object.hasOwn(value as object, name)) apply(dependent[name]);
    const condition = schema['if'];
    if (condition !== undefined) apply(schema[this.#accepts(value, condition as JsonSchema) ? 'then' : 'else']);
    return { value, steps };
  }

  /** Repairs by the branches of a union, if none accepts the value as it is and their results agree. */
  #branch(before: Done, branches: readonly JsonSchema[], place: Place | undefined): Done {
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
    return first && !isDoubtful ? { value: first.value, steps: both(before.steps, first.steps) } : before;
  }
}

const OWN = { writable: true, enumerable: true, configurable: true };
const isStructure = ({ value }: Done) => typeof value === 'object';

interface Read {
  readonly value: unknown;
  readonly did: Repair['did'];
}

const asNumber = (text: string): Read => ({ value: numberFromText(text), did: 'text to number' });
const asStructure: Reader = (text, structure) => ({ value: structure(text), did: 'text to JSON' });

type Reader = (text: string, structure: typeof structureFromText) => Read;

const READERS: Record<string, Reader> = {
  integer: asNumber,
  number: asNumber,
  boolean: (text) => ({ value: booleanFromText(text), did: 'text to boolean' }),
  object: asStructure,
  array: asStructure,
};

/** Integer and number give the same result, and so do object and array. */
const isSame = (a: Read, b: Read) => a.value === b.value || (a.did === b.did && a.did === 'text to JSON');
