import { execFileSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../src/app/create-app.ts';
import { addFlag, addPositionals, positionalValues } from '../../src/bin/options/parameter-option.ts';
import { accepts } from '../../src/schema/accepts.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { leafParametersOf } from '../../src/schema/leaf-parameters.ts';
import { mistakesIn } from '../../src/schema/mistakes.ts';
import { sampleOfPattern } from '../../src/schema/sample-pattern.ts';
import { sampleOf } from '../../src/schema/sample.ts';
import { forms } from '../../src/schema/wire-forms.ts';
import { compileProject } from '../../src/sources/module/bind/project.ts';
import { argumentsFrom, type Given } from '../../src/wires/cli/decode.ts';
import { exampleOf } from '../../src/wires/cli/flag-example.ts';
import { flagsOf, positionalsOf } from '../../src/wires/cli/flags.ts';
import { silent } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { Generator, randomFrom } from '../schema/random-schemas.ts';

const FORMATS =
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference iri uuid json-pointer int64'.split(' ');
const PATTERNS = [
  '^[A-Z]{2}-[0-9]+$',
  '^\\d{4}$',
  '^(?:a|bc)+$',
  '^[^a-z]{3,5}$',
  'x.y',
  '^#?[0-9a-f]{6}$',
  '^\\p{Lu}\\p{L}*$',
  '^(?<year>\\d{4})-W\\d\\d$',
  '^\\+[1-9]\\d{1,14}$',
  '^(?!foo)[a-z]+$',
  '^https?://',
  '^[\\w.-]+@[\\w-]+\\.com$',
  String.raw`(a)\1(?=([\s\S]*?):\/\/)\2:\/\/x`,
];

/** Schemas that some value satisfies, with the keywords that people use. */
const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(50), fc.boolean())
      .map(([minimum, more, isWhole]) => ({ type: isWhole ? 'integer' : 'number', minimum, maximum: minimum + more })),
    fc.tuple(fc.integer({ min: -20, max: 20 }), fc.constantFrom(2, 5, 0.5)).map(([low, multipleOf]) => ({
      type: 'number',
      exclusiveMinimum: low,
      maximum: low + 2 * multipleOf,
      multipleOf,
    })),
    fc.integer({ min: -20, max: 20 }).map((above) => ({ type: 'integer', exclusiveMinimum: above })),
    fc
      .tuple(fc.nat(30), fc.nat(5))
      .map(([minLength, more]) => ({ type: 'string', minLength, maxLength: minLength + more })),
    fc.constantFrom(...FORMATS).map((format) => ({ type: 'string', format })),
    fc.constantFrom(...PATTERNS).map((pattern) => ({ type: 'string', pattern })),
    fc.nat(12).map((minLength) => ({ type: 'string', pattern: '^[a-z]+$', minLength })),
    fc.constantFrom<JsonSchema>(
      forms.date,
      forms.bigint,
      forms.bytes,
      { type: 'boolean' },
      { type: 'null' },
      { const: "it's" },
      { enum: ['-x', 'a b', 3] },
      { enum: [null, true] },
      { type: ['null', 'integer'], minimum: 3 },
      { $ref: '#/$defs/Tree' },
      { allOf: [{ type: 'integer' }, { minimum: 7 }, { maximum: 9 }] },
      {
        type: 'object',
        minProperties: 2,
        additionalProperties: { type: 'integer' },
        propertyNames: { pattern: '^k\\d$' },
      },
      { type: 'array', contains: { const: 'x' }, minItems: 2 },
      {},
    ),
    fc
      .tuple(tie('schema'), fc.nat(3))
      .map(([items, minItems]) => ({ type: 'array', items, minItems, maxItems: minItems + 1 })),
    fc
      .nat(4)
      .map((minItems) => ({ type: 'array', items: { type: 'integer', minimum: 0 }, minItems, uniqueItems: true })),
    fc.nat(4).map((minItems) => ({ type: 'array', items: { type: 'string' }, minItems, uniqueItems: true })),
    fc
      .array(tie('schema'), { minLength: 1, maxLength: 3 })
      .map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: prefixItems.length })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'bC', 'd_e'), tie('schema')), fc.boolean())
      .map(([properties, isRequired]) => ({
        type: 'object',
        properties,
        required: isRequired ? Object.keys(properties) : [],
        additionalProperties: false,
      })),
  ),
}));

const $defs = {
  Tree: {
    type: 'object',
    properties: { kind: { const: 'leaf' }, inner: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    required: ['kind'],
  },
} as const;

const inputs = fc
  .tuple(fc.dictionary(fc.constantFrom('id', 'firstName', 'json', 'no-x', 'two words'), schemas), fc.boolean())
  .map(([properties, isRequired]) => ({
    type: 'object',
    properties,
    required: isRequired ? Object.keys(properties) : Object.keys(properties).slice(0, 1),
    $defs,
  }));

/** Types the words into a shell, and returns what a program gets. */
function typed(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\1'`).join('\n');
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return printed
    .split('\u0001')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

describe('the example in help', () => {
  it(proves('cli.examples', 'is accepted, for generated schemas'), { timeout: 60_000 }, () => {
    const cases = fc.sample(inputs, size(150, 1500)).map((input) => {
      const positional = leafParametersOf(input)
        .filter(({ name, required }) => name === 'id' && required)
        .map(({ name }) => name);
      const cli = {
        positional,
        short: leafParametersOf(input).some(({ name }) => name === 'firstName') ? { firstName: 'f' } : {},
      };
      const definition = { name: 'F', description: 'F', input, cli, run: () => {} };
      const fn = createApp({ name: 'A', version: '1', functions: [definition], log: silent }).find('F')!;
      const flags = flagsOf(input, new Set(['json', 'input']), cli);
      const positionals = positionalsOf(input, flags, cli);
      return { input, fn, flags, positionals, example: exampleOf(fn, flags, positionals) };
    });
    const unsampled = cases.filter(({ input }) => sampleOf(input, input) === undefined);
    expect(unsampled.map(({ input }) => JSON.stringify(input))).toEqual([]);
    const words = typed(cases.map(({ example }) => example));
    for (const [i, { input, fn, flags, positionals, example }] of cases.entries()) {
      const given: Given[] = [];
      const command = new Command().exitOverride().option('--input <json>').allowExcessArguments(false);
      command.configureOutput({ writeErr: () => {} });
      addPositionals(command, positionals);
      for (const flag of flags) addFlag(command, flag, given);
      const parse = () =>
        command.parse(
          words[i]!.filter((word) => word !== '' || example !== ''),
          { from: 'user' },
        );
      expect(parse, `${example} for ${JSON.stringify(input)}`).not.toThrow();
      given.push(...positionalValues(command, positionals));
      const { input: json = '{}' } = command.opts<{ input?: string }>();
      const { problems } = fn.admit(argumentsFrom(given, JSON.parse(json), input));
      expect(problems, `${example} for ${JSON.stringify(input)}`).toBeUndefined();
    }
  });

  it(proves('cli.examples', 'is valid or absent for any schema, and found in a moment'), { timeout: 60_000 }, () => {
    const generator = new Generator(randomFrom(1));
    let found = 0;
    for (let i = 0; i < size(400, 3000); i++) {
      const root = generator.root();
      if (mistakesIn(root).length > 0) continue;
      const value = sampleOf(root, root);
      if (value === undefined) continue;
      found++;
      expect(accepts(value, root, root)).toBe(true);
    }
    expect(found).toBeGreaterThan(size(200, 1500));
  });

  it.each(PATTERNS)(proves('cli.examples', 'matches a pattern: %s'), (pattern) => {
    expect(sampleOfPattern(pattern)).toMatch(new RegExp(pattern, 'u'));
  });

  it.each(['(?<a>a)\\k<a>', '(', '[', 'a{99999}', '('.repeat(99) + 'a' + ')'.repeat(99), '\\'])(
    proves('cli.examples', 'leaves other patterns alone: %s'),
    (pattern) => expect(sampleOfPattern(pattern)).toBeUndefined(),
  );

  it(proves('cli.examples', "is valid for a schema library's own formats, or says what is required"), () => {
    const example = (input: z.ZodObject) => {
      const functions = [{ name: 'F', description: 'F', input, run: () => {} }];
      const fn = createApp({ name: 'A', version: '1', functions, log: silent }).find('F')!;
      return exampleOf(fn, flagsOf(fn.inputSchema, new Set()));
    };
    const at = z.object({ mail: z.email(), id: z.uuid(), day: z.iso.date(), at: z.date(), big: z.bigint() });
    expect(example(at)).toBe(
      '--mail ada@example.com --id 123e4567-e89b-42d3-a456-426614174000 --day 2026-01-31 --at 2026-01-31T12:00:00Z --big 1',
    );
    expect(example(z.object({ code: z.string().regex(/^(a)\1b$/) }))).toMatch(/^--code (?:<string>|\S+)$/);
    expect(example(z.object({ never: z.never() }))).toBe('--never <value>');
  });
});

describe('results of plain functions', () => {
  const SECRET = 'SECRET';
  const NAMES = ['a', 'b', 'c'];

  /** Schemas as plain types have them, without maps and values of any type, which may contain everything. */
  const { schema: plain } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<JsonSchema>(
        { type: 'string' },
        { type: 'integer' },
        { type: 'null' },
        { const: 'a' },
        { enum: ['a', 1] },
      ),
      tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonSchema => ({ anyOf })),
      fc
        .tuple(fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }), fc.subarray(NAMES))
        .map(([properties, required]): JsonSchema => ({
          type: 'object',
          properties,
          required: required.filter((name) => Object.hasOwn(properties, name)),
        })),
    ),
  }));

  /** Values with a secret in each object. They are often, but not always, of a schema like those above. */
  const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>('a', 1, null, undefined, 'text', 7),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 })
        .map((fields) => ({ ...fields, password: SECRET })),
    ),
  }));

  it('what is not described never leaves, whatever the schema is and whatever is returned', () => {
    const ajv = new Ajv2020({ strict: false });
    let valid = 0;
    fc.assert(
      fc.property(plain, values, (schema, value) => {
        const sent: unknown = compileProject(schema)(value);
        if (!ajv.validate(schema, JSON.parse(JSON.stringify(sent ?? null)))) return; // is not sent
        if (value !== null && typeof value === 'object') valid++;
        expect(JSON.stringify(sent)).not.toContain(SECRET);
      }),
      { numRuns: size(300, 20_000) },
    );
    expect(valid).toBeGreaterThan(size(3, 200));
  });
});
