import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { argumentsFrom } from '../../src/wires/cli/decode.ts';
import { flagsOf } from '../../src/wires/cli/flags.ts';
import { proves } from '../promises.ts';

const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const names = (schema: JsonSchema, reserved: readonly string[] = []) =>
  flagsOf(schema, new Set(reserved)).map(({ name }) => name);

/** The value of the only flag of a schema, typed like this. */
const given = (property: JsonSchema, ...texts: readonly string[]) => {
  const schema = object({ p: property });
  return (argumentsFrom([[flagsOf(schema, new Set())[0]!, texts]], undefined, schema) as { p: unknown }).p;
};

const shape = (kind: string, size: string) =>
  object({ kind: { const: kind }, [size]: { type: 'number' } }, { required: ['kind', size] });
const SHAPES = { anyOf: [shape('circle', 'radius'), shape('square', 'side')] };

describe('flags', () => {
  it(proves('cli.flags', 'are named after parameters, dotted inside objects, to a depth'), () => {
    const deep = object({
      a: object({ b: object({ c: object({ d: object({ e: { type: 'string' } }) }) }) }),
      x: { type: 'integer' },
    });
    expect(names(deep)).toEqual(['a.b.c.d', 'x']);
  });

  it(proves('cli.flags', 'keep clear of each other and of the command'), () => {
    const schema = object({
      json: { type: 'string' },
      foo: { type: 'boolean' },
      'no-foo': { type: 'string' },
      'a.b': { type: 'string' },
      a: object({ b: { type: 'string' } }),
      'first name': { type: 'string' },
      größe: { type: 'number' },
    });
    expect(names(schema, ['json'])).toEqual(['arg-json', 'foo', 'a.b', 'größe']);
  });

  it.each([
    [{ type: 'integer' }, ['7'], 7],
    [{ type: 'integer' }, ['7', '8'], 8],
    [{ type: 'string' }, ['7'], '7'],
    [{ type: ['string', 'integer'] }, ['7'], '7'],
    [{ enum: [1, 2, 'three'] }, ['2'], 2],
    [{ type: 'array', items: { type: 'integer' } }, ['1', '2'], [1, 2]],
    [{ type: 'array', items: { type: 'integer' } }, ['[1,2]'], [1, 2]],
    [{ type: 'array', items: { type: 'string' } }, ['[1,2]'], ['[1,2]']],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, ['[1,2]'], [[1, 2]]],
    [{ type: 'object' }, ['{"a":1}'], { a: 1 }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, ['5'], 5],
    [SHAPES, ['{"kind":"circle","radius":"wide"}'], { kind: 'circle', radius: 'wide' }],
    [SHAPES, ['{"kind":'], '{"kind":'],
    [{ anyOf: [...SHAPES.anyOf, { type: 'string' }] }, ['{"kind":"circle"}'], '{"kind":"circle"}'],
    [
      { type: 'array', items: SHAPES },
      ['{"kind":"circle","radius":1}', '{"kind":"square"}'],
      [{ kind: 'circle', radius: 1 }, { kind: 'square' }],
    ],
    [{ type: 'array', items: { type: 'integer' } }, ['[1,"x"]'], [1, 'x']],
  ] as const)(proves('cli.flags', 'for %j, %j is read as %j'), (schema, texts, value) => {
    expect(given(schema as JsonSchema, ...texts)).toEqual(value);
  });

  it(proves('cli.input', 'go on top of JSON, inside objects too'), () => {
    const schema = object({ o: object({ a: { type: 'integer' }, b: { type: 'integer' } }) });
    const [, b] = flagsOf(schema, new Set());
    const base = { o: { a: 1, b: 2 } };
    expect(argumentsFrom([[b!, ['3']]], base, schema)).toEqual({ o: { a: 1, b: 3 } });
    expect(base).toEqual({ o: { a: 1, b: 2 } });
    expect(argumentsFrom([[b!, ['3']]], [1], schema)).toEqual([1]);
  });
});
