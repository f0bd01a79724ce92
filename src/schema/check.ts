import { Validator } from 'ata-validator';
import type { JsonSchema } from './json-schema.ts';
import { lookUp, pointerTo } from './pointer.ts';
import { expectation, received } from './problem.ts';
import type { Problem } from './problem.ts';
import { resolve, schemaAt } from './schema-tree.ts';

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
    return result.valid ? undefined : withoutRepeats(result.errors.map((error) => toProblem(error, schema, value)));
  };
}

/** `type` and `enum` of one schema say the same when both are broken. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ pointer, message }) => !seen.has(pointer + message) && seen.add(pointer + message));
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
  const owner = schemaAt(schema, parentOf(found.schemaPath.slice(1))) ?? {};
  if (found.keyword === 'required') {
    const missing = String(found.params['missingProperty']);
    const fields = owner.properties;
    const field = fields && Object.hasOwn(fields, missing) ? resolve({ schema: fields[missing]!, root: schema }) : {};
    const wanted = expectation(field);
    return {
      pointer: pointerTo(at, missing),
      message: wanted === 'a value' ? 'required' : `required, expected ${wanted}`,
      missing,
    };
  }
  if (found.keyword === 'additionalProperties') {
    return { pointer: pointerTo(at, String(found.params['additionalProperty'])), message: 'not a known field' };
  }
  const secret = owner['writeOnly'] === true || owner['format'] === 'password';
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

function phrase({ keyword, message }: Finding, owner: JsonSchema): string {
  if (WHOLE.has(keyword)) {
    const wanted = expectation(owner);
    return wanted === 'a value' ? 'not allowed here' : `expected ${wanted}`;
  }
  if (keyword === 'uniqueItems') return 'expected no item twice';
  const bound = BOUNDS[keyword];
  return bound && keyword in owner ? `expected ${bound(String(owner[keyword]))}` : message;
}
