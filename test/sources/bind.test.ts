import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { silent } from '../kit/parts.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { compileProject } from '../../src/sources/module/bind/project.ts';
import type { FunctionDescription } from '../../src/sources/module/description.ts';

const text: JsonSchema = { type: 'string' };
const object = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const TREE: JsonSchema = { $ref: '#/$defs/Tree' };
const user = object({ id: text, name: text }, 'id');

describe('sends what is described', () => {
  it('of an object with private fields and getters', () => {
    class User {
      #key = 'secret';
      private readonly hash = 'secret';
      id = 'a';
      get name() {
        return this.#key.length > 0 && this.hash ? 'b' : '';
      }
      get broken(): string {
        throw new Error('must not be read');
      }
    }
    expect(compileProject(user)(new User())).toEqual({ id: 'a', name: 'b' });
  });

  it('of a row, and in lists, records, maps, sets and unions', () => {
    const row = { id: 'a', name: 'b', hash: 'secret' };
    const clean = { id: 'a', name: 'b' };
    const tagged = object({ kind: { type: 'string', const: 'x' }, x: text }, 'kind', 'x');
    const union = { anyOf: [tagged, user, { type: 'null' }] };
    const users = { type: 'object', additionalProperties: user };
    for (const [schema, value, sent] of [
      [user, row, clean],
      [{ type: 'array', items: user }, [row], [clean]],
      [{ type: 'array', prefixItems: [text, user], items: false }, ['a', row], ['a', clean]],
      [users, { k: row }, { k: clean }],
      [{ ...users, 'x-shape': 'map' }, new Map([['k', row]]), { k: clean }],
      [{ type: 'array', items: user, 'x-shape': 'set' }, new Set([row]), [clean]],
      [union, row, clean],
      [union, { kind: 'x', x: 'y', id: 'a', hash: 'secret' }, { kind: 'x', x: 'y' }],
      [union, undefined, null],
      [union, null, null],
    ] as [JsonSchema, unknown, unknown][])
      expect(compileProject(schema)(value)).toEqual(sent);
  });

  it('of recursive types, in linear time', () => {
    const next = { anyOf: [TREE, object({ other: text }, 'other')] };
    const tree = { ...TREE, $defs: { Tree: object({ id: text, next }, 'id') } };
    let value: object = { id: 'end', hash: 'secret' };
    for (let i = 0; i < 90; i++) value = { id: String(i), hash: 'secret', next: value };
    // Every level has two branches: 2^90 without a memory.
    expect(JSON.stringify(compileProject(tree)(value))).not.toContain('secret');
  });

  it('and ends for cycles and values that many places share', () => {
    const tree = { ...TREE, $defs: { Tree: object({ id: text, a: TREE, b: TREE }, 'id') } };
    const cycle: Record<string, unknown> = { id: 'a' };
    cycle['a'] = cycle;
    expect(() => compileProject(tree)(cycle)).toThrow(RangeError);
    let shared: object = { id: 'end' };
    for (let i = 0; i < 60; i++) shared = { id: 'x', a: shared, b: shared };
    expect(compileProject(tree)(shared)).toMatchObject({ id: 'x' });
  });

  it('never what objects inherit', () => {
    const project = compileProject(object({ constructor: text, toString: text, id: text }));
    expect(project({ id: 'a' })).toEqual({ id: 'a' });
    expect(project(JSON.parse('{"id":"a","__proto__":{"x":1}}'))).toEqual({ id: 'a' });
    const open = compileProject({ type: 'object', additionalProperties: text });
    const polluted = open(JSON.parse('{"__proto__":"x"}')) as object;
    expect(Object.getPrototypeOf(polluted)).toBe(Object.prototype);
    expect(Object.keys(polluted)).toEqual(['__proto__']);
  });
});

describe('binds', () => {
  const base: FunctionDescription = {
    name: 'f',
    path: ['f'],
    of: 'exports',
    description: 'F',
    parameters: [],
    input: { type: 'object', properties: {} },
    result: { kind: 'none' },
    position: { file: 'f.ts', line: 1, column: 1 },
  };
  const NUMBER = { kind: 'one', schema: { type: 'number' } } as const;
  const bind = (fn: Partial<FunctionDescription>, exports: object) =>
    createApp({
      name: 'Bound',
      version: '1',
      log: silent,
      functions: bindModule({ functions: [{ ...base, ...fn }], refusals: [] }, exports),
    });

  it('what is not quite a promise, as builders of queries are not', async () => {
    const query = { then: (resolve: (value: unknown) => void) => resolve({ id: 'a', hash: 'secret' }) };
    const app = bind({ result: { kind: 'one', schema: user } }, { f: () => query });
    expect(await app.call('f')).toEqual({ ok: true, data: { id: 'a' } });
  });

  it('parameters by position, and revives sets, maps and addresses', async () => {
    let given: unknown[] = [];
    const app = bind(
      {
        parameters: [
          { kind: 'property', name: 'set' },
          { kind: 'property', name: 'missing' },
          { kind: 'property', name: 'url' },
          { kind: 'context' },
          { kind: 'property', name: 'rest', isRest: true },
        ],
        input: {
          type: 'object',
          properties: {
            set: { type: 'array', items: text, 'x-shape': 'set' },
            missing: text,
            url: { type: 'string', format: 'uri', 'x-shape': 'url' },
            rest: { type: 'array', items: { type: 'object', additionalProperties: text, 'x-shape': 'map' } },
          },
        },
      },
      { f: (...parameters: unknown[]) => void (given = parameters) },
    );
    await app.call('f', { set: ['a', 'a'], url: 'https://a.example/', rest: [{ k: 'v' }, {}] });
    const [set, missing, url, context, ...rest] = given;
    expect([set, missing, url]).toEqual([new Set(['a']), undefined, new URL('https://a.example/')]);
    expect(context).toHaveProperty('signal');
    expect(rest).toEqual([new Map([['k', 'v']]), new Map()]);
    expect(JSON.stringify(app.functions)).not.toContain('x-shape');
  });

  it('sets, maps and addresses in members of a union', async () => {
    let given: unknown;
    const set: JsonSchema = { type: 'array', items: text, 'x-shape': 'set' };
    const map: JsonSchema = { type: 'object', additionalProperties: set, 'x-shape': 'map' };
    const tagged = (kind: string, fields: Record<string, JsonSchema>) =>
      object({ kind: { type: 'string', const: kind }, ...fields }, 'kind', ...Object.keys(fields));
    const date: JsonSchema = { type: 'string', format: 'date-time', 'x-everywire': 'date' };
    const app = bind(
      {
        parameters: [{ kind: 'input' }],
        input: {
          type: 'object',
          properties: {
            filter: { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }] },
            choice: { oneOf: [tagged('a', { at: date, tags: set }), tagged('b', { map })] },
            wider: { anyOf: [{ a: set }, { a: set, b: set }].map((properties) => ({ type: 'object', properties })) },
          },
          $defs: { Filter: object({ tags: set }, 'tags') },
        },
      },
      { f: (input: unknown) => void (given = input) },
    );
    await app.call('f', { filter: { tags: ['a'] }, choice: { kind: 'a', at: '2020-01-01T00:00:00Z', tags: ['b'] } });
    expect(given).toEqual({
      filter: { tags: new Set(['a']) },
      choice: { kind: 'a', at: new Date('2020-01-01T00:00:00Z'), tags: new Set(['b']) },
    });
    await app.call('f', { filter: null, choice: { kind: 'b', map: { k: ['a'] } }, wider: { a: ['a'], b: ['b'] } });
    expect(given).toEqual({
      filter: null,
      choice: { kind: 'b', map: new Map([['k', new Set(['a'])]]) },
      wider: { a: new Set(['a']), b: new Set(['b']) },
    });
  });

  it('nothing to a parameter with a default, if nothing was sent', async () => {
    const input = { type: 'object', properties: { a: { type: 'number' } } };
    const f = ({ a = 0 }: { a?: number } = { a: 7 }) => a;
    const app = bind({ parameters: [{ kind: 'input', hasDefault: true }], input, result: NUMBER }, { f });
    expect(await app.call('f', {})).toMatchObject({ data: 7 });
    expect(await app.call('f', { a: 1 })).toMatchObject({ data: 1 });
  });

  it('results with what may be undefined', async () => {
    const orNull = { type: ['number', 'null'] };
    const schema = { type: 'array', prefixItems: [text, { type: 'number' }], items: false, minItems: 1, maxItems: 2 };
    for (const [result, returned, data] of [
      [{ kind: 'several', schemas: [text, orNull] }, ['a', undefined], ['a', null]],
      [{ kind: 'one', schema }, ['a', undefined], ['a']],
      [{ kind: 'one', schema: { type: 'array', items: orNull } }, [1, undefined], [1, null]],
    ] as [FunctionDescription['result'], unknown, unknown][])
      expect(await bind({ result }, { f: () => returned }).call('f')).toMatchObject({ data });
  });

  it('no more arguments than were sent', async () => {
    const parameters = ['a', 'b', 'c'].map((name) => ({ kind: 'property' as const, name }));
    const input = { type: 'object', properties: { a: text, b: text, c: text } };
    const app = bind({ parameters, input, result: NUMBER }, { f: (...given: unknown[]) => given.length });
    expect(await app.call('f', { b: 'x' })).toMatchObject({ data: 2 });
    expect(await app.call('f', {})).toMatchObject({ data: 0 });
  });

  it('methods to one object, created with the first call', async () => {
    let created = 0;
    class Counter {
      count = (created += 1) * 10;
      add() {
        return ++this.count;
      }
    }
    const method = { name: 'Counter.add', path: ['Counter', 'add'], of: 'instance', result: NUMBER } as const;
    const app = bind(method, { Counter });
    expect(created).toBe(0);
    expect([await app.call('Counter.add'), await app.call('Counter.add')]).toMatchObject([{ data: 11 }, { data: 12 }]);
  });

  it('generators: each chunk is projected, and the last one is the answer', async () => {
    const ended: string[] = [];
    async function* f() {
      try {
        yield { id: 'a', hash: 'secret' };
        yield { id: 'b', hash: 'secret' };
      } finally {
        ended.push('yes');
      }
    }
    const app = bind({ yields: user, result: { kind: 'one', schema: user } }, { f });
    const chunks: unknown[] = [];
    const onChunk = (chunk: unknown) => void chunks.push(chunk);
    expect(await app.call('f', undefined, { onChunk } as never)).toMatchObject({ data: { id: 'b' } });
    expect(JSON.stringify(chunks)).not.toContain('secret');
    expect(ended).toEqual(['yes']);
  });

  it('nothing that the module does not have', () => {
    expect(() => bind({}, {})).toThrow('The module does not export f as a function');
    expect(() => bind({ name: 'a.f', path: ['a', 'f'] }, {})).toThrow('The module does not export a.f');
    expect(() => bind({ name: 'C.f', path: ['C', 'f'], of: 'instance' }, { C: {} })).toThrow(
      'The module has no class for C.f',
    );
  });
});
