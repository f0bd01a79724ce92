import type { JsonSchema } from '../json-schema.ts';
import { condition, not, sameValue } from './combining-rules.ts';
import type { Compilation } from './compilation.ts';
import { areUnique } from './equal.ts';
import {
  additionalProperties,
  dependentRequired,
  dependentSchemas,
  patternProperties,
  properties,
  propertyNames,
  required,
  unevaluatedProperties,
} from './field-rules.ts';
import { contains, items, prefixItems, unevaluatedItems } from './item-rules.ts';
import { limitRule, many } from './limit-rule.ts';
import { isMultipleOf } from './multiple-of.ts';
import type { Kind, Rule } from './schema-node.ts';
import { format, lengthOf, minLength, pattern } from './string-rules.ts';
import { union } from './union.ts';

type Fields = Readonly<Record<string, unknown>>;
type Items = readonly unknown[];
type Schemas = readonly (JsonSchema | boolean)[];
type Compile = (given: any, compilation: Compilation) => Rule | undefined;

const number = (holds: (value: number, limit: number) => boolean, words: (limit: number) => string) =>
  ['number', limitRule(holds, words)] as const;
const string = (holds: (value: string, limit: number) => boolean, words: (limit: number) => string) =>
  ['string', limitRule(holds, words)] as const;
const array = (holds: (value: Items, limit: number) => boolean, words: (limit: number) => string) =>
  ['array', limitRule(holds, words)] as const;
const object = (holds: (value: Fields, limit: number) => boolean, words: (limit: number) => string) =>
  ['object', limitRule(holds, words)] as const;

const isLonger = (value: string, n: number) => value.length > n && (value.length > 2 * n || lengthOf(value) > n);
const countOf = (value: Fields) => Object.keys(value).length;

/**
 * Every keyword that validates: the kind of value that it applies to, and its rule. In the order in which problems are
 * reported; `type`, `enum` and `const` are checked before all of them (see type-rule.ts).
 */
export const KEYWORDS: readonly (readonly [keyword: string, kind: Kind, compile: Compile])[] = [
  ['format', 'string', format],
  [
    'minimum',
    ...number(
      (value, n) => value >= n,
      (n) => `at least ${n}`,
    ),
  ],
  [
    'maximum',
    ...number(
      (value, n) => value <= n,
      (n) => `at most ${n}`,
    ),
  ],
  [
    'exclusiveMinimum',
    ...number(
      (value, n) => value > n,
      (n) => `more than ${n}`,
    ),
  ],
  [
    'exclusiveMaximum',
    ...number(
      (value, n) => value < n,
      (n) => `less than ${n}`,
    ),
  ],
  ['multipleOf', ...number(isMultipleOf, (n) => `a multiple of ${n}`)],
  ['minLength', 'string', minLength],
  [
    'maxLength',
    ...string(
      (value, n) => !isLonger(value, n),
      (n) => `at most ${many(n, 'character')}`,
    ),
  ],
  ['pattern', 'string', pattern],
  [
    'minItems',
    ...array(
      (value, n) => value.length >= n,
      (n) => `at least ${many(n, 'item')}`,
    ),
  ],
  [
    'maxItems',
    ...array(
      (value, n) => value.length <= n,
      (n) => `at most ${many(n, 'item')}`,
    ),
  ],
  [
    'uniqueItems',
    'array',
    limitRule(
      (value: Items, isOn: boolean) => !isOn || areUnique(value),
      () => 'unique items',
    ),
  ],
  [
    'minProperties',
    ...object(
      (value, n) => countOf(value) >= n,
      (n) => `at least ${many(n, 'field')}`,
    ),
  ],
  [
    'maxProperties',
    ...object(
      (value, n) => countOf(value) <= n,
      (n) => `at most ${many(n, 'field')}`,
    ),
  ],
  ['prefixItems', 'array', prefixItems],
  ['items', 'array', items],
  ['contains', 'array', contains],
  ['unevaluatedItems', 'array', unevaluatedItems],
  ['properties', 'object', properties],
  ['patternProperties', 'object', patternProperties],
  ['additionalProperties', 'object', additionalProperties],
  ['propertyNames', 'object', propertyNames],
  ['required', 'object', required],
  ['dependentRequired', 'object', dependentRequired],
  ['dependentSchemas', 'object', dependentSchemas],
  ['unevaluatedProperties', 'object', unevaluatedProperties],
  ['$ref', 'any', (ref: string, { target }) => sameValue([target(ref)])],
  ['allOf', 'any', (given: Schemas, { compile }) => sameValue(given.map(compile))],
  ['if', 'any', condition],
  ['anyOf', 'any', (given: Schemas, { compile, root }) => union(given.map(compile), root, false)],
  ['oneOf', 'any', (given: Schemas, { compile, root }) => union(given.map(compile), root, true)],
  ['not', 'any', not],
];
