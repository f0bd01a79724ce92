import { FORM_KEYWORD, isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Accepts } from './validator.ts';

/**
 * The verdict of a schema that says no more than most do, as functions inside functions: it is there at once, and as
 * quick as one that the validator library compiles. Undefined for a schema with anything else in it. That the two
 * agree is tested.
 */
export function compileSimple(schema: JsonSchema | boolean): Accepts | undefined {
  if (typeof schema === 'boolean') return () => schema;
  if (isMisread(schema)) return undefined;
  const checks: Accepts[] = [];
  for (const keyword of Object.keys(schema)) {
    if (SILENT.has(keyword)) continue;
    const check = RULES.get(keyword)?.(schema[keyword], schema);
    if (!check) return undefined;
    checks.push(check);
  }
  return all(checks);
}

/**
 * The library takes the items of an array for fields where no type is said, and lets required fields pass where no others
 * than the declared are allowed. Who judged them rightly would judge otherwise than a build, which has its verdicts.
 */
function isMisread(schema: JsonSchema): boolean {
  if (schema.type !== 'object') return FIELDS.some((keyword) => keyword in schema);
  if (!('additionalProperties' in schema)) return false;
  const { properties: declared, required: wanted = [] } = schema;
  return !declared || !wanted.every((name) => Object.hasOwn(declared, name));
}

const FIELDS = ['properties', 'required', 'additionalProperties'];

/** Keywords that no value can break. */
const SILENT: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  FORM_KEYWORD,
]);

type Rule = (given: unknown, schema: JsonSchema) => Accepts | undefined;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['type', type],
  ['enum', (given) => (Array.isArray(given) && given.every(isPlain) ? (value) => given.includes(value) : undefined)],
  ['const', (given) => (isPlain(given) ? (value) => value === given : undefined)],
  // Turned round, since the library lets NaN pass here; its type does not.
  ['minimum', number((value, limit) => !(value < limit))],
  ['maximum', number((value, limit) => !(value > limit))],
  ['exclusiveMinimum', number((value, limit) => !(value <= limit))],
  ['exclusiveMaximum', number((value, limit) => !(value >= limit))],
  [
    'minLength',
    text((value, limit) => value.length >= limit && (value.length >= 2 * limit || lengthOf(value) >= limit)),
  ],
  [
    'maxLength',
    text((value, limit) => value.length <= limit || (value.length <= 2 * limit && lengthOf(value) <= limit)),
  ],
  ['minItems', list((value, limit) => value.length >= limit)],
  ['maxItems', list((value, limit) => value.length <= limit)],
  ['items', items],
  ['properties', properties],
  ['required', required],
  ['additionalProperties', additional],
  ['anyOf', (given) => several(given, (checks) => (value) => checks.some((check) => check(value)))],
  ['oneOf', (given) => several(given, (checks) => (value) => checks.filter((check) => check(value)).length === 1)],
]);

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

function type(given: unknown): Accepts | undefined {
  if (typeof given === 'string') return TYPES.get(given);
  if (!Array.isArray(given)) return undefined;
  const checks = given.map((name) => TYPES.get(name as string));
  return checks.includes(undefined) ? undefined : (value) => checks.some((check) => check!(value));
}

/** One function each: the engine makes the most of functions that it sees again. */
const TYPES: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ['string', (value) => typeof value === 'string'],
  ['number', Number.isFinite],
  ['integer', Number.isInteger],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', Array.isArray],
  ['object', isRecord],
]);

function number(holds: (value: number, limit: number) => boolean): Rule {
  return (limit) =>
    typeof limit === 'number' ? (value) => typeof value !== 'number' || holds(value, limit) : undefined;
}

function text(holds: (value: string, limit: number) => boolean): Rule {
  return (limit) =>
    typeof limit === 'number' ? (value) => typeof value !== 'string' || holds(value, limit) : undefined;
}

function list(holds: (value: readonly unknown[], limit: number) => boolean): Rule {
  return (limit) => (typeof limit === 'number' ? (value) => !Array.isArray(value) || holds(value, limit) : undefined);
}

/** In characters, of which some take two places in a string. */
function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

function items(given: unknown, schema: JsonSchema): Accepts | undefined {
  const check = inner(given);
  // With prefixItems it means the rest.
  if (!check || 'prefixItems' in schema) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return true;
    for (let i = 0; i < value.length; i++) if (!check(value[i])) return false; // holes too
    return true;
  };
}

function properties(given: unknown): Accepts | undefined {
  if (!isRecord(given)) return undefined;
  const names = Object.keys(given);
  const checks = names.map((name) => inner(given[name]));
  if (checks.includes(undefined) || names.some(isInherited)) return undefined;
  return (value) => {
    if (!isRecord(value)) return true;
    for (let i = 0; i < names.length; i++) {
      const field = value[names[i]!];
      if (field !== undefined && !checks[i]!(field)) return false;
    }
    return true;
  };
}

function required(given: unknown): Accepts | undefined {
  const names = given as readonly string[];
  if (!Array.isArray(given) || names.some(isInherited)) return undefined;
  return (value) => {
    if (!isRecord(value)) return true;
    for (let i = 0; i < names.length; i++) if (value[names[i]!] === undefined) return false;
    return true;
  };
}

function additional(given: unknown, schema: JsonSchema): Accepts | undefined {
  const check = inner(given);
  if (!check || 'patternProperties' in schema) return undefined;
  const known = new Set(Object.keys(schema.properties ?? {}));
  return (value) => {
    if (!isRecord(value)) return true;
    for (const name of Object.keys(value)) if (!known.has(name) && !check(value[name])) return false;
    return true;
  };
}

function several(given: unknown, join: (checks: readonly Accepts[]) => Accepts): Accepts | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(inner);
  return checks.includes(undefined) ? undefined : join(checks as Accepts[]);
}

const inner = (given: unknown): Accepts | undefined =>
  isRecord(given) || typeof given === 'boolean' ? compileSimple(given) : undefined;

/** Every object has these, of its own or not. */
const isInherited = (name: string) => name in Object.prototype;

function all(checks: readonly Accepts[]): Accepts {
  const [first, second, third] = checks;
  if (!first) return () => true;
  if (!second) return first;
  if (!third) return (value) => first(value) && second(value);
  if (checks.length === 3) return (value) => first(value) && second(value) && third(value);
  return (value) => checks.every((check) => check(value));
}
