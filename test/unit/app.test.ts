import { createApp, defineFunction } from 'everywire';
import type { AppOptions } from 'everywire';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemsOf as problemsOfApp } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const right = { name: 'Right', description: 'Is right', run: () => {} };

const problemsOf = (functions: readonly unknown[], options: Partial<AppOptions> = {}) =>
  problemsOfApp({ functions, ...options });

const parameter = (schema: object) => ({ type: 'object', properties: { p: { description: 'P', ...schema } } });

describe('building an app', () => {
  it(proves('build.all-at-once', 'reports every mistake in one message'), () => {
    const functions = [{ name: '9lives' }, { ...right, description: ' ' }, { ...right, input: { type: 'string' } }];
    const build = () => createApp({ name: '', version: '', functions: functions as never });
    expect(build).toThrow(
      [
        '8 problems in app "":',
        '  - the app has no name',
        '  - the app has no version',
        '  - functions[0] "9lives": a name must start with a letter and contain only letters, digits, "_", "-" and "."',
        '  - functions[0] "9lives": has no description',
        '  - functions[0] "9lives": has no run function',
        '  - functions[1] "Right": has no description',
        '  - functions[2] "Right": input must be an object at the root, not "string"',
        '  - functions[2] "Right": shares the name "Right" with functions[1] "Right"',
      ].join('\n'),
    );
  });

  it('takes what is right, and refuses what is no definition', () => {
    expect(problemsOf([right])).toEqual([]);
    expect(problemsOf([undefined])).toEqual(['functions[0]: has no name']);
  });

  const integer = z.int().describe('n');
  const table: readonly (readonly [facts: object, ...problems: string[]])[] = [
    [{ output: integer, outputs: [integer, integer] }, 'has both output and outputs'],
    [{ outputs: [integer] }, 'outputs needs at least two schemas; use output for one value, and neither for none'],
    [
      { input: parameter({ type: 'strnig' }) },
      'input: invalid JSON Schema at #/properties/p/type: expected "string", got "strnig"',
    ],
    [
      { input: parameter({ type: 'string', pattern: '(' }) },
      'input: invalid JSON Schema at #/properties/p/pattern: expected a regular expression, got "("',
    ],
    [
      { input: parameter({ $ref: '#/$defs/Nope' }) },
      'input: invalid JSON Schema at #/properties/p/$ref: "#/$defs/Nope" is not found in this schema',
    ],
    [
      { input: { type: 'object', properties: JSON.parse('{"__proto__":{"description":"d"}}') as object } },
      'input: a parameter must not be named "__proto__"',
    ],
    [
      { input: z.object({ m: z.map(z.string(), z.string()).describe('d') }) },
      'input: a zod map cannot be represented in JSON',
    ],
    [
      { input: z.object({ n: integer }), examples: [{ input: { n: 'x' } }] },
      'examples[0].input/n: expected integer, got "x"',
    ],
    [{ output: integer, examples: [{ input: {}, output: 'x' }] }, 'examples[0].output: expected integer, got "x"'],
    [{ input: parameter({ type: 'integer', default: 'abc' }) }, 'input: the default "abc" breaks its own schema'],
    [
      { input: { type: 'object', allOf: [{ $ref: '#' }] } },
      'input: invalid JSON Schema at #/allOf/0/$ref: "#" refers to itself',
    ],
    [
      { input: { type: 'object', patternProperties: { '(': {} } } },
      'input: invalid JSON Schema at #/patternProperties: expected a regular expression, got "("',
    ],
    [
      { description: 5, errors: { X: null }, timeout: -1 },
      'has no description',
      'errors: "X" has no description',
      'timeout must be a non-negative integer (milliseconds), not -1',
    ],
    [{ examples: { a: 1 } }, 'examples must be a list of objects'],
    [
      { errors: { 'a b': { description: 'd' }, QUIET: {}, ODD: { description: 'd', status: 200 } } },
      'errors: invalid code "a b" (only letters, digits and "_"; OK is reserved)',
      'errors: "QUIET" has no description',
      'errors: the status of "ODD" must be from 400 to 599, not 200',
    ],
    [{ operationId: 'a b' }, 'operationId "a b" must be 1 to 128 letters, digits, "_", "-" and "."'],
  ];
  for (const [facts, ...problems] of table) {
    it(proves('build.descriptions', problems.join('; ')), () =>
      expect(problemsOf([{ ...right, ...facts }])).toEqual(problems.map((one) => `functions[0] "Right": ${one}`)),
    );
  }

  it(proves('build.object-root', 'rejects schemas whose root is not an object'), () => {
    for (const input of [{ type: 'array' }, {}, { type: ['object', 'null'] }, z.string().describe('s')]) {
      expect(problemsOf([{ ...right, input }])[0]).toContain('input must be an object at the root');
    }
  });

  it(proves('build.collisions', 'rejects two functions that share a name, and names both'), () => {
    for (const [second, problem] of [
      [{}, '"Right": shares the name "Right"'],
      [{ name: 'Other', operationId: 'functions.Right' }, '"Other": shares the name "functions.Right"'],
      [{ name: 'Other', operationId: 'functions_Right' }, '"Other": shares the name "functions_Right"'],
      [{ name: 'right' }, '"right": shares the command "right"'],
    ] as const)
      expect(problemsOf([right, { ...right, ...second }])).toEqual([
        `functions[1] ${problem} with functions[0] "Right"`,
      ]);
  });

  it(proves('name.portable', 'restricts portable names to those that every client application accepts'), () => {
    const long = { ...right, name: 'A'.repeat(60) };
    expect(problemsOf([long])).toEqual([]);
    expect(problemsOf([long], { names: 'portable' })[0]).toContain('must be 1 to 64 letters, digits, "_" and "-"');
  });

  it(proves('build.all-at-once', 'rejects invalid limits, and ignores undefined ones'), () => {
    expect(problemsOf([right], { limits: { body: undefined as never, requestTimeout: 0 } })).toEqual([]);
    expect(problemsOf([right], { limits: { body: -1, dpeth: 3, headersTimeout: 70_000 } as never })).toEqual([
      'limits: "body" must be a non-negative integer, not -1',
      'limits: unknown limit "dpeth" (did you mean "depth"?)',
      'limits: "headersTimeout" must not exceed "requestTimeout"',
    ]);
    expect(problemsOf(undefined as never)).toEqual(['functions must be a list']);
    expect(problemsOf([right], { names: 'bogus', errors: 'bogus', middleware: [5], limits: 5 } as never)).toEqual([
      'limits must be an object',
      'names must be "spec" or "portable", not "bogus"',
      'errors must be "shown" or "masked", not "bogus"',
      'middleware must be a list of functions',
    ]);
    expect(problemsOf([right], { secret: 'ü'.repeat(16) })).toEqual([]);
    expect(problemsOf([right], { secret: 'too short' })).toEqual(['secret must be a string of at least 32 bytes']);
  });

  it(proves('build.frozen', 'freezes definitions'), () => {
    const errors = { X: { description: 'x' } };
    const definition = defineFunction({ ...right, tags: ['a'], hints: { readOnly: true }, errors });
    expect(Object.isFrozen(definition)).toBe(true);
    expect(Object.isFrozen(definition.hints)).toBe(true);
    expect(Object.isFrozen(definition.errors?.['X'])).toBe(true);
    expect(() => ((definition as { name: string }).name = 'Other')).toThrow(TypeError);
  });
});
