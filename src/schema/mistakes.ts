import { SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, SCHEMA_KEYWORDS } from './embed.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { keysOf, lookUp, pointerTo } from './pointer.ts';
import { received } from './problem.ts';
import type { Problem } from './problem.ts';
import { suggest } from './suggest.ts';

/**
 * Finds mistakes in a schema itself. The 2020-12 meta-schema would find nearly the same, but compiling it takes a tenth
 * of a second, on every command and every CGI request. A test compares the two.
 */
export function mistakesIn(root: unknown): Problem[] {
  const seen = new Set<unknown>();
  const found = mistakesAt(root, root as JsonSchema, '', seen);
  // A reference may lead to a place that is no schema otherwise, such as #/components/schemas/X. Its target may have more of them.
  for (const schema of seen) {
    const { $ref } = schema as JsonSchema;
    const target = typeof $ref === 'string' ? lookUp(root, $ref) : undefined;
    if (target === undefined || seen.has(target)) continue;
    found.push(...mistakesAt(target, root as JsonSchema, keysOf($ref as string).reduce(pointerTo, ''), seen));
  }
  return found;
}

function mistakesAt(schema: unknown, root: JsonSchema, pointer: string, seen: Set<unknown>): Problem[] {
  if (typeof schema === 'boolean' && pointer !== '') return [];
  if (!isRecord(schema)) return [{ pointer, message: `expected a schema, got ${received(schema)}` }];
  seen.add(schema);
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = pointerTo(pointer, keyword);
    if (SCHEMA_KEYWORDS.includes(keyword)) return mistakesAt(value, root, at, seen);
    if (SCHEMA_LIST_KEYWORDS.includes(keyword)) return inList(value, root, at, seen);
    if (SCHEMA_MAP_KEYWORDS.includes(keyword))
      return [...(keyword === 'patternProperties' ? inPatterns(value, at) : []), ...inMap(value, root, at, seen)];
    if (keyword === '$ref') return inReference(value, root, at);
    const why = UNSUPPORTED.get(keyword);
    if (why !== undefined) return [{ pointer: at, message: why }];
    if (keyword === '$id' && pointer !== '') return [{ pointer: at, message: INNER_ID }];
    const message = RULES.get(keyword)?.(value);
    return message ? [{ pointer: at, message: `${message}, got ${received(value)}` }] : [];
  });
}

function inList(value: unknown, root: JsonSchema, at: string, seen: Set<unknown>): Problem[] {
  if (!Array.isArray(value) || value.length === 0) {
    return [{ pointer: at, message: `expected a list of schemas, got ${received(value)}` }];
  }
  return value.flatMap((item, i) => mistakesAt(item, root, pointerTo(at, i), seen));
}

function inMap(value: unknown, root: JsonSchema, at: string, seen: Set<unknown>): Problem[] {
  if (!isRecord(value)) return [{ pointer: at, message: `expected an object of schemas, got ${received(value)}` }];
  return Object.entries(value).flatMap(([name, item]) => mistakesAt(item, root, pointerTo(at, name), seen));
}

function inPatterns(value: unknown, at: string): Problem[] {
  const wrong = isRecord(value) ? Object.keys(value).filter((name) => pattern(name)) : [];
  return wrong.map((name) => ({ pointer: at, message: `expected a regular expression, got ${received(name)}` }));
}

/** Keywords that change the meaning of a schema and are not supported. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['$dynamicRef', 'dynamic references are not supported; use $ref'],
  ['$recursiveRef', 'recursive references belong to an older draft; use $ref'],
  ['$vocabulary', 'vocabularies are for meta-schemas, which are not supported'],
  ['dependencies', 'belongs to an older draft; use dependentRequired or dependentSchemas'],
  ['additionalItems', 'belongs to an older draft; use prefixItems with items'],
]);
const INNER_ID = 'an $id inside a schema changes what references mean, which is not supported; use $defs and $ref';

function inReference(value: unknown, root: JsonSchema, at: string): Problem[] {
  if (typeof value === 'string' && !value.startsWith('#')) {
    const message = `${received(value)} is in another document; only references into this schema (#/…) are supported`;
    return [{ pointer: at, message }];
  }
  const isFound = typeof value === 'string' && /^#(?:\/|$)/.test(value) && lookUp(root, value) !== undefined;
  if (!isFound) return [{ pointer: at, message: `${received(value)} is not found in this schema` }];
  const circle = reaches(lookUp(root, value), root, value, new Set());
  return circle ? [{ pointer: at, message: `${received(value)} refers to itself` }] : [];
}

/** Whether a schema applies a reference to the same value: validation would never end. */
function reaches(schema: unknown, root: JsonSchema, ref: string, seen: Set<unknown>): boolean {
  if (!isRecord(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const { $ref } = schema;
  if ($ref === ref) return true;
  if (typeof $ref === 'string' && reaches(lookUp(root, $ref), root, ref, seen)) return true;
  return SAME_VALUE.some((keyword) => {
    const given = schema[keyword];
    const isMany = keyword === 'dependentSchemas' ? isRecord(given) : Array.isArray(given);
    const parts: unknown[] = isMany ? Object.values(given as object) : [given];
    return parts.some((part) => reaches(part, root, ref, seen));
  });
}

/** Keywords whose schemas apply to the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/** Returns what was expected if the value of a keyword is invalid. */
type Rule = (value: unknown) => string | undefined;

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const type: Rule = (value) => {
  if (Array.isArray(value) && (value.length === 0 || !isNames(value))) return 'expected a list of unique types';
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const wrong = given.find((name) => !TYPES.includes(name as string));
  if (wrong === undefined) return undefined;
  const near = typeof wrong === 'string' ? suggest(wrong, TYPES) : undefined;
  return near ? `expected ${JSON.stringify(near)}` : `expected one of ${TYPES.join(', ')}`;
};

const pattern: Rule = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') ? undefined : 'expected a regular expression';
  } catch {
    return 'expected a regular expression';
  }
};

const must =
  (what: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : `expected ${what}`;

const number = must('a number', (value) => typeof value === 'number');
const count = must('a whole number of 0 or more', (value) => Number.isInteger(value) && (value as number) >= 0);
const text = must('a string', (value) => typeof value === 'string');
const flag = must('true or false', (value) => typeof value === 'boolean');
const names = must('a list of unique names', (value) => isNames(value));

const RULES = new Map<string, Rule>([
  ['type', type],
  ['pattern', pattern],
  ['enum', must('a list of values', Array.isArray)],
  ['required', names],
  [
    'dependentRequired',
    must('an object of lists of names', (value) => isRecord(value) && Object.values(value).every(isNames)),
  ],
  ['multipleOf', must('a number above 0', (value) => typeof value === 'number' && value > 0)],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, number] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'].map(
    (keyword) => [keyword, count] as const,
  ),
  ...['minProperties', 'maxProperties'].map((keyword) => [keyword, count] as const),
  ...['title', 'description', 'format', '$id', '$comment', '$anchor'].map((keyword) => [keyword, text] as const),
  ['$schema', must('a draft of json-schema.org', (value) => typeof value === 'string' && DIALECT.test(value))],
  ...['contentEncoding', 'contentMediaType'].map((keyword) => [keyword, text] as const),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((keyword) => [keyword, flag] as const),
  ['examples', must('a list of values', Array.isArray)],
]);

const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0[67]|draft\/20(?:19-09|20-12))\/schema#?$/;

function isNames(value: unknown): boolean {
  return (
    Array.isArray(value) && new Set(value).size === value.length && value.every((name) => typeof name === 'string')
  );
}
