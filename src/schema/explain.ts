import { accepts, isOther } from './accepts.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointerTo } from './pointer.ts';
import { expectation, received } from './problem.ts';
import type { Problem } from './problem.ts';
import { hasSecrets, isSecretAt } from './redact.ts';
import { branchesOf, isOf, resolve, schemasFor, typesOf } from './schema-tree.ts';

/** A caller that sends ten thousand wrong items is told of these many. */
const MOST = 100;

/** Everything that is wrong with a value that a schema does not accept, in words, with places. */
export function explain(value: unknown, schema: JsonSchema): readonly Problem[] {
  const explanation = new Explanation(schema);
  explanation.at(value, schema, '');
  return explanation.problems;
}

class Explanation {
  readonly problems: Problem[] = [];
  readonly #hasSecrets: boolean;

  constructor(private readonly root: JsonSchema) {
    this.#hasSecrets = hasSecrets(root);
  }

  /** Descends only into what is not accepted, and finds at least one problem there. */
  at(value: unknown, declared: JsonSchema, pointer: string): void {
    if (this.problems.length >= MOST || accepts(value, declared, this.root)) return;
    const schema = resolve({ schema: declared, root: this.root });
    this.#look(value, schema, pointer);
  }

  #look(value: unknown, schema: JsonSchema, pointer: string): void {
    const before = this.problems.length;
    if (this.#isOfAnotherKind(value, schema))
      return this.#add(pointer, value, `expected ${expectation(schema)}`, schema);
    const said = PHRASES.filter(([keyword]) => keyword in schema && !this.#holds(value, schema, keyword)).map(
      ([keyword, phrase]) => phrase(String(schema[keyword]), schema),
    );
    for (const phrase of new Set(said)) this.#add(pointer, value, `expected ${phrase}`, schema);
    if (Array.isArray(value)) this.#items(value, schema, pointer);
    else if (typeof value === 'object' && value !== null)
      this.#fields(value as Record<string, unknown>, schema, pointer);
    this.#parts(value, schema, pointer);
    if (this.problems.length === before) this.#add(pointer, value, 'not allowed here', schema);
  }

  #isOfAnotherKind(value: unknown, schema: JsonSchema): boolean {
    const types = schema.type === undefined ? undefined : typesOf(schema);
    if (types && !types.some((type) => isOf(value, type))) return true;
    return ['enum', 'const'].some((keyword) => keyword in schema && !this.#holds(value, schema, keyword));
  }

  #holds(value: unknown, schema: JsonSchema, keyword: string): boolean {
    return accepts(value, single(schema, keyword), this.root);
  }

  #items(items: readonly unknown[], schema: JsonSchema, pointer: string): void {
    const first = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
    for (const [i, item] of items.entries()) this.#inside(item, first[i] ?? schema.items, pointerTo(pointer, i));
  }

  #fields(fields: Record<string, unknown>, schema: JsonSchema, pointer: string): void {
    const properties = schema.properties ?? {};
    for (const [name, value] of Object.entries(fields)) {
      const at = pointerTo(pointer, name);
      const declared = schemasFor(schema, name);
      if (declared.includes(false)) this.problems.push({ pointer: at, message: 'not a known field' });
      for (const inner of declared) this.#inside(value, inner, at);
    }
    for (const missing of schema.required ?? []) {
      if (!Object.hasOwn(fields, missing)) this.#missing(missing, properties, pointer);
    }
  }

  #missing(missing: string, properties: NonNullable<JsonSchema['properties']>, pointer: string): void {
    const declared = Object.hasOwn(properties, missing) ? properties[missing]! : {};
    const wanted = expectation(resolve({ schema: declared, root: this.root }));
    const message = wanted === 'a value' ? 'required' : `required, expected ${wanted}`;
    this.problems.push({ pointer: pointerTo(pointer, missing), message, missing });
  }

  #parts(value: unknown, schema: JsonSchema, pointer: string): void {
    for (const part of (schema['allOf'] ?? []) as readonly JsonSchema[]) this.at(value, part, pointer);
    const condition = schema['if'];
    if (isRecord(condition)) {
      const key = accepts(value, condition, this.root) ? 'then' : 'else';
      this.#inside(value, schema[key], pointer);
    }
    const branches = branchesOf(schema);
    if (!branches || branches.some((branch) => accepts(value, branch, this.root))) return;
    // Where only one branch can be meant, what is wrong in it says more than the list of branches.
    const meant = branches.filter((branch) => !isOther(value, branch, this.root));
    if (meant.length === 1) return this.at(value, meant[0]!, pointer);
    const union = branches.map((branch) => resolve({ schema: branch, root: this.root }));
    this.#add(pointer, value, `expected ${expectation({ anyOf: union })}`, schema);
  }

  #inside(value: unknown, schema: unknown, pointer: string): void {
    if (isRecord(schema)) this.at(value, schema, pointer);
  }

  #add(pointer: string, value: unknown, message: string, schema: JsonSchema): void {
    const isHidden = this.#hasSecrets && (isSecretAt(pointer, this.root) || isMisplaced(value, schema));
    this.problems.push({ pointer, message: isHidden ? message : `${message}, got ${received(value)}` });
  }
}

/** A text where fields or items belong may hold all of them, secrets included. */
const isMisplaced = (value: unknown, schema: JsonSchema) =>
  typeof value === 'string' && typesOf(schema)?.some((type) => type === 'object' || type === 'array') === true;

const many = (n: string, what: string) => `${n} ${what}${n === '1' ? '' : 's'}`;

/** A pattern is for machines; where a format or an encoding says the same, that is said. */
function patternInWords(pattern: string, { format, contentEncoding }: JsonSchema): string {
  if (typeof format === 'string') return `string (${format})`;
  return typeof contentEncoding === 'string' ? `text in ${contentEncoding}` : `text matching ${pattern}`;
}

const PHRASES: readonly (readonly [keyword: string, phrase: (limit: string, schema: JsonSchema) => string])[] = [
  ['format', (format) => `string (${format})`],
  ['minimum', (n) => `at least ${n}`],
  ['maximum', (n) => `at most ${n}`],
  ['exclusiveMinimum', (n) => `more than ${n}`],
  ['exclusiveMaximum', (n) => `less than ${n}`],
  ['multipleOf', (n) => `a multiple of ${n}`],
  ['minLength', (n) => `at least ${many(n, 'character')}`],
  ['maxLength', (n) => `at most ${many(n, 'character')}`],
  ['pattern', patternInWords],
  ['minItems', (n) => `at least ${many(n, 'item')}`],
  ['maxItems', (n) => `at most ${many(n, 'item')}`],
  ['minProperties', (n) => `at least ${many(n, 'field')}`],
  ['maxProperties', (n) => `at most ${many(n, 'field')}`],
  ['uniqueItems', () => 'no item twice'],
];

const singles = new Map<string, JsonSchema>();

/** A schema of one keyword alone; the same object each time, so that it is compiled once. */
function single(schema: JsonSchema, keyword: string): JsonSchema {
  const key = JSON.stringify([keyword, schema[keyword]]);
  let made = singles.get(key);
  if (!made) singles.set(key, (made = { [keyword]: schema[keyword] }));
  return made;
}
