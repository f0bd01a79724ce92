import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { expectation } from '../problem.ts';
import { isEqual } from './equal.ts';
import type { Rule } from './schema-node.ts';

type Accepts = (value: unknown) => boolean;

/** The rule for `type`, `enum` and `const` together. */
export function typeRule(schema: JsonSchema): Rule | undefined {
  const tests: Accepts[] = [];
  if (schema.type !== undefined) tests.push(ofType(schema.type));
  if (schema.enum !== undefined) tests.push(oneOf(schema.enum));
  if ('const' in schema) tests.push(oneOf([schema.const]));
  const [first, ...others] = tests;
  if (!first) return undefined;
  const accepts = others.length === 0 ? first : (value: unknown) => tests.every((test) => test(value));
  return {
    accepts,
    explain: (value, place, report) => {
      if (accepts(value)) return;
      const words = isTooLong(value, schema)
        ? `${expectation(schema)} of at most ${LARGEST}${AS_TEXT}`
        : expectation(schema);
      report.expected(words, value, place, schema);
    },
  };
}

const LARGEST = `±${Number.MAX_SAFE_INTEGER}`;
const AS_TEXT = ' (larger integers are not exact as JSON numbers; send them as strings if the schema allows it)';

/** Whether an integer is unsafe: it may have been rounded when it was parsed, or would be. */
const isTooLong = (value: unknown, { type }: JsonSchema) =>
  (typeof value === 'string' ? LONG.test(value) : Number.isInteger(value)) &&
  !Number.isSafeInteger(Number(value)) &&
  [type].flat().includes('integer');
const LONG = /^-?[0-9]{16,40}$/;

const TYPES: Readonly<Record<string, Accepts>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  // Beyond 2^53, one double stands for several integers.
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
};

function ofType(type: string | readonly string[]): Accepts {
  if (typeof type === 'string') return TYPES[type]!;
  const tests = type.map((name) => TYPES[name]!);
  return (value) => tests.some((test) => test(value));
}

function oneOf(values: readonly unknown[]): Accepts {
  const plain = new Set(values.filter((value) => typeof value !== 'object' || value === null));
  const others = values.filter((value) => typeof value === 'object' && value !== null);
  if (others.length === 0) return (value) => plain.has(value);
  return (value) => plain.has(value) || others.some((other) => isEqual(other, value));
}
