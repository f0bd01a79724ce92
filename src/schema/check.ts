import { Validator } from 'ata-validator';
import type { JsonSchema } from './json-schema.ts';
import { lookUp, pointerTo } from './pointer.ts';
import { expectation, received } from './problem.ts';
import type { Problem } from './problem.ts';

/** Answers undefined when the value is right, else everything that is wrong with it. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

/**
 * The one place that knows the validator library. `validate` is used rather than its
 * quicker `isValidObject`, which accepts `{}` for `{type: 'object', required: ['a']}`.
 */
export function compileCheck(schema: JsonSchema): Check {
  const validator = new Validator(schema, { useDefaults: false });
  return (value) => {
    const result = validator.validate(value);
    return result.valid ? undefined : result.errors.map((error) => toProblem(error, schema, value));
  };
}

const metaCheck: { compiled?: Check } = {};

/** What is wrong with a schema itself, by the 2020-12 meta-schema. */
export function checkSchema(schema: JsonSchema): readonly Problem[] {
  metaCheck.compiled ??= compileCheck({ $ref: 'https://json-schema.org/draft/2020-12/schema' });
  const problems = metaCheck.compiled(schema);
  if (problems) return problems;
  try {
    compileCheck(schema)({});
    return [];
  } catch (error) {
    return [{ pointer: '', message: error instanceof Error ? error.message : String(error) }];
  }
}

interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

function toProblem(found: Finding, schema: JsonSchema, root: unknown): Problem {
  const at = found.instancePath;
  if (found.keyword === 'required') {
    const missing = String(found.params['missingProperty']);
    const field = lookUp(schema, `${parentOf(found.schemaPath)}/properties`) as JsonSchema['properties'];
    const wanted = field && Object.hasOwn(field, missing) ? `, expected ${expectation(field[missing])}` : '';
    return { pointer: pointerTo(at, missing), message: `required${wanted}`, missing };
  }
  if (found.keyword === 'additionalProperties') {
    return { pointer: pointerTo(at, String(found.params['additionalProperty'])), message: 'not a known field' };
  }
  const owner = lookUp(schema, parentOf(found.schemaPath)) as JsonSchema | undefined;
  const secret = owner?.['writeOnly'] === true || owner?.['format'] === 'password';
  const got = secret ? '' : `, got ${received(lookUp(root, at))}`;
  return { pointer: at, message: `${phrase(found, owner)}${got}` };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

const WHOLE = new Set(['type', 'enum', 'const', 'anyOf', 'oneOf', 'format']);

const BOUNDS: Record<string, (limit: string) => string> = {
  minimum: (n) => `at least ${n}`,
  maximum: (n) => `at most ${n}`,
  exclusiveMinimum: (n) => `more than ${n}`,
  exclusiveMaximum: (n) => `less than ${n}`,
  multipleOf: (n) => `a multiple of ${n}`,
  minLength: (n) => `at least ${n} characters`,
  maxLength: (n) => `at most ${n} characters`,
  pattern: (text) => `text matching ${text}`,
  minItems: (n) => `at least ${n} items`,
  maxItems: (n) => `at most ${n} items`,
  minProperties: (n) => `at least ${n} fields`,
  maxProperties: (n) => `at most ${n} fields`,
};

function phrase({ keyword, message }: Finding, owner: JsonSchema | undefined): string {
  if (WHOLE.has(keyword)) {
    return `expected ${expectation(owner)}`;
  }
  if (keyword === 'uniqueItems') return 'expected no item twice';
  const bound = BOUNDS[keyword];
  return bound ? `expected ${bound(String(owner?.[keyword]))}` : message;
}
