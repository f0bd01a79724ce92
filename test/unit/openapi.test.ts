import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createApp, defineFunction, forms, type JsonSchema } from 'everywire';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { App as SourceApp } from '../../src/app/app.ts';
import { refuse } from '../../src/core/failure.ts';
import { openApiDocument, openApiText } from '../../src/wires/http/openapi/document.ts';
import { createHttpWire } from '../../src/wires/http/wire.ts';
import { toOpenApi30 } from '../../src/wires/http/openapi/to-openapi-30.ts';
import { throwing } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

describe('3.0', () => {
  type Json = Record<string, any>;

  const options = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const;
  const ajv2020 = new Ajv2020(options);
  const ajvDraft7 = new Ajv(options);

  /** ajv throws a ReferenceError for some schemas of deeply nested unions. Those are skipped. */
  function safely(work: () => unknown): unknown {
    try {
      return work();
    } catch {
      return undefined;
    }
  }

  /** Converts a schema of OpenAPI 3.0 to a dialect that ajv knows. */
  function inDraft7(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(inDraft7);
    if (typeof schema !== 'object' || schema === null) return schema;
    const copy: Json = Object.fromEntries(
      Object.entries(schema).map(([name, value]) => [name, name === 'enum' ? value : inDraft7(value)]),
    );
    if (copy['nullable'] === true) copy['type'] = [copy['type'], 'null'];
    delete copy['nullable'];
    for (const [bound, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      if (copy[exclusive] !== true) delete copy[exclusive];
      else {
        copy[exclusive] = copy[bound];
        delete copy[bound];
      }
    }
    return copy;
  }

  const string = { type: 'string' };
  const integer = { type: 'integer' };

  const listOf = (items: Json) => ({ type: 'array', items });
  const either = { anyOf: [string, integer] };

  it.each<[title: string, schema: Json, old: Json]>([
    ['a tuple that goes on', { type: 'array', prefixItems: [string], items: integer }, listOf(either)],
    ['a tuple that goes on with anything', { type: 'array', prefixItems: [string] }, listOf({})],
    ['a tuple', { type: 'array', prefixItems: [string, integer], items: false }, { ...listOf(either), maxItems: 2 }],
    [
      'a tuple of one length',
      { type: 'array', prefixItems: [string, integer], minItems: 2, maxItems: 2 },
      { ...listOf(either), minItems: 2, maxItems: 2 },
    ],
    [
      'a tuple, or something else',
      { type: ['array', 'string'], prefixItems: [string], items: integer },
      { anyOf: [listOf(either), { type: 'string' }] },
    ],
    [
      'patterns of names, and no others',
      { type: 'object', patternProperties: { '^x-': string }, additionalProperties: false },
      { type: 'object', additionalProperties: { anyOf: [string] } },
    ],
    ['not, with a keyword that 3.0 lacks', { not: { contains: string } }, {}],
    ['not, with null and a constant', { not: { const: 'a', type: 'null' } }, {}],
    ['not, with keywords that 3.0 has', { not: string }, { not: string }],
    [
      'branches that 3.0 cannot tell apart',
      { oneOf: [{ type: 'array', contains: string }, { type: 'array' }] },
      { anyOf: [listOf({}), listOf({})] },
    ],
    ['examples', { ...string, examples: ['a', 'b'] }, { ...string, example: 'a' }],
    ['two bounds', { minimum: 5, exclusiveMinimum: 3 }, { minimum: 5 }],
  ])(proves('openapi.old', '%s'), (_title, given, old) =>
    expect(JSON.parse(JSON.stringify(toOpenApi30(given)))).toEqual(old),
  );

  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom(null, true, false, 0, 1, 2, 3, 1.5, '', 'a', 'b', 'x-a'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'x-a'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).any;

  const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
  const small = fc.integer({ min: 0, max: 3 });

  /** Few keywords at a time: schemas with many accept nothing. */
  const schema: fc.Arbitrary<Json> = fc.letrec<{ any: Json | boolean; one: Json }>((tie) => {
    const any = tie('any');
    const list = fc.array(any, { minLength: 1, maxLength: 3 });
    const map = (...names: readonly string[]) =>
      fc.dictionary(fc.constantFrom(...names), any, { maxKeys: 2, noNullPrototype: true });
    const simple = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      const: value,
      enum: fc.array(value, { minLength: 1, maxLength: 3 }),
      minimum: small,
      maximum: small,
      exclusiveMinimum: small,
      exclusiveMaximum: small,
      minLength: small,
      minItems: small,
      maxItems: small,
      required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      unevaluatedItems: fc.boolean(),
    };
    const nested = {
      properties: map('a', 'b', 'x-a'),
      patternProperties: map('^x-', 'a'),
      additionalProperties: any,
      propertyNames: any,
      dependentSchemas: map('a'),
      prefixItems: list,
      items: any,
      contains: any,
      unevaluatedProperties: any,
      if: any,
      then: any,
      not: any,
      allOf: list,
      anyOf: list,
      oneOf: list,
    };
    const keyword = ([name, given]: [string, fc.Arbitrary<unknown>]) => given.map((one) => ({ [name]: one }));
    const keywords = fc.oneof(...Object.entries({ ...simple, ...nested }).map(keyword));
    const leaf = fc.oneof(...Object.entries(simple).map(keyword));
    return {
      any: fc.oneof({ maxDepth: 3 }, leaf, fc.boolean(), { weight: 4, arbitrary: tie('one') }),
      one: fc.array(keywords, { minLength: 1, maxLength: 3 }).map((given): Json => Object.assign({}, ...given)),
    };
  }).one;

  it(proves('openapi.old', 'a schema for 3.0 allows more, never less'), () => {
    let accepted = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 20, maxLength: 20 }), (any, values) => {
        const accepts = ajv2020.compile(any);
        const old = toOpenApi30(any);
        const acceptsOld = ajvDraft7.compile(inDraft7(old) as object);
        for (const one of values.filter((other) => safely(() => accepts(other)))) {
          accepted++;
          const said = `${JSON.stringify(any)} accepts ${JSON.stringify(one)}, ${JSON.stringify(old)} does not`;
          expect(acceptsOld(one), said).toBe(true);
        }
      }),
      { numRuns: size(200, 1500) },
    );
    expect(accepted).toBeGreaterThan(size(30, 300));
  });
});

/** Typed by the source instead of the build. */
const appWith = (...functions: object[]): SourceApp =>
  createApp({ name: 'Shared', version: '1.0.0', functions: functions as never }) as never;

let count = 0;
/** A function with a name of its own. */
const fn = (facts: object) =>
  defineFunction({ name: `F${++count}`, description: 'Does it', run: () => undefined as never, ...facts } as never);

it(proves('openapi.deterministic', 'is made once for all base paths, and has the right one'), async () => {
  let made = 0;
  const app = Object.defineProperty({ ...appWith() }, 'license', { get: () => void made++ });
  const { handle } = createHttpWire(app as never);
  const get = { method: 'GET', target: '/openapi.json', headers: {}, body: new Uint8Array() };
  const replies = await Promise.all(Array.from({ length: 40 }, async (_, i) => handle({ ...get, base: `/"${i}$&` })));
  const bases = replies.map(({ body }) => JSON.parse(body as string).servers[0].url as string);
  expect([bases[0], bases[39]]).toEqual(['/"0$&', '/"39$&']);
  expect([new Set(bases).size, new Set(replies.map(({ headers }) => headers['etag'])).size, made]).toEqual([40, 40, 1]);
});

it(proves('openapi.deterministic', 'is made again if that has failed, such as without a file to open'), async () => {
  const license = vi.fn(() => undefined).mockImplementationOnce(throwing(new Error('EMFILE')));
  const app = Object.defineProperty({ ...appWith(), reportError: () => refuse('INTERNAL_ERROR', 'x') }, 'license', {
    get: license,
  });
  const { handle } = createHttpWire(app as never);
  const get = async () => handle({ method: 'GET', target: '/openapi.json', headers: {}, body: new Uint8Array() });
  expect([(await get()).status, (await get()).status]).toEqual([500, 200]);
});

const documentOf = (...functions: object[]): any => openApiDocument(appWith(...functions), '3.1');
const schemasOf = (...functions: object[]): Record<string, any> => documentOf(...functions).components.schemas;
const namesOf = (...functions: object[]) => Object.keys(schemasOf(...functions)).filter((name) => name !== 'Failure');
/** Every parameter and every result needs a description. */
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { description: 'It', ...schema }]),
  ),
  description: 'It',
});
const input = (fields: Record<string, z.ZodType>) =>
  z.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.describe('It')])));
const withId = <T extends z.ZodType>(id: string, schema: T): T => schema.describe('It').meta({ id }) as T;
const named = (id: string, field: string) => withId(id, z.object({ [field]: z.string().describe('It') }));
const holding = (schema: JsonSchema, name = 'item') => object({ [name]: schema });

const LONG =
  'A description that is long enough to make the schema worth sharing, since short ones stay inline. '.repeat(3);
const worthIt = (what: string): JsonSchema => object({ [what]: { type: 'string', description: LONG } });

describe('the shared schemas of the OpenAPI document', () => {
  it(proves('openapi.shared', 'have the id of zod, at the root, nested, in a list or null'), () => {
    const order = named('Order', 'id');
    expect(
      namesOf(
        fn({ input: input({ order, orders: z.array(order).optional(), other: order.nullable() }) }),
        fn({ input: order, output: order.describe('Described here') }),
        fn({ outputs: [order, z.array(order).describe('It')] }),
        fn({ output: z.record(z.string(), order).describe('It') }),
      ),
    ).toEqual(['Order']);
  });

  it(proves('openapi.shared', 'are one if they differ only in what zod forbids in results'), () => {
    const line = named('Line', 'sku');
    const order = withId('Order', z.object({ lines: z.array(line) }));
    const { Order, Line } = schemasOf(fn({ input: input({ order }), output: order }));
    expect([Order.additionalProperties, Line.additionalProperties]).toEqual([undefined, undefined]);
    expect(schemasOf(fn({ output: order })).Order.additionalProperties).toBe(false);
    const strict = withId('Strict', z.strictObject({ a: z.string() }));
    expect(schemasOf(fn({ input: input({ strict }), output: strict })).Strict.additionalProperties).toBe(false);
  });

  it(proves('openapi.shared', 'have a second name if callers send another type than they receive'), () => {
    const order = withId('Order', z.object({ amount: z.int().default(1) }));
    const functions = [fn({ input: input({ order }) }), fn({ output: order })];
    for (const list of [functions, functions.toReversed()]) {
      const { Order, OrderInput, ...others } = schemasOf(...list);
      expect([Order.required, OrderInput.required, Object.keys(others)]).toEqual([['amount'], undefined, ['Failure']]);
    }
  });

  it(proves('openapi.shared', 'have the name of the function if two of its types have the same name'), () => {
    const one = fn({ name: 'One', output: named('Thing', 'a') });
    const two = fn({ name: 'Two', output: named('Thing', 'b') });
    const three = fn({ name: 'Three', input: input({ thing: named('Thing', 'c') }) });
    expect(namesOf(one, two, three)).toEqual(['Thing', 'ThingInput', 'TwoThing']);
  });

  it(proves('openapi.shared', 'leave a name to the author that we would use ourselves'), () => {
    const { components, paths } = documentOf(fn({ name: 'Ask' }), fn({ output: named('Failure', 'reason') }));
    expect(components.schemas.Failure.properties).toHaveProperty('reason');
    expect(components.responses.Timeout.content['application/json'].schema.$ref).toMatch(/\/FailureOutput$/);
    expect(paths['/functions/Ask'].post.responses[400].content['application/json'].schema.properties).toEqual({
      error: { type: 'string' },
    });
  });

  it(proves('openapi.shared', 'respect the names of $defs, definitions and titles, but not sentences'), () => {
    const ref = { $ref: '#/$defs/Address' };
    expect(
      namesOf(
        fn({ input: { ...holding(ref), $defs: { Address: object({ a: { type: 'string' } }) } } }),
        fn({ input: { ...holding({ $ref: '#/definitions/Old' }), definitions: { Old: { type: 'string' } } } }),
        fn({ input: holding({ title: 'Titled', ...object({ b: { type: 'string' } }) }) }),
        fn({ input: holding({ title: 'A long story', ...object({ b: { type: 'string' } }) }) }),
        fn({ input: holding({ title: 'Number', type: 'number' }) }),
      ),
    ).toEqual(['Address', 'Old', 'Titled']);
  });

  it(proves('openapi.shared', 'are named after their field if repeated, and inline if small'), () => {
    const given = holding(worthIt('a'), 'delivery_address');
    expect(namesOf(fn({ input: given }), fn({ input: given }))).toEqual(['DeliveryAddress']);
    expect(namesOf(fn({ input: given }))).toEqual([]);
    const list = holding({ type: 'array', items: worthIt('b') }, 'categories');
    expect(namesOf(fn({ input: list }), fn({ input: list }))).toEqual(['Category']);
    const small = holding(object({ a: { type: 'string' } }));
    expect(namesOf(fn({ input: small }), fn({ input: small }))).toEqual([]);
    // A type of this name would hide one that generated code uses.
    const date = holding(worthIt('c'), 'date');
    expect(namesOf(fn({ name: 'Plan', input: date }), fn({ input: date }))).toEqual(['DateInput']);
  });

  it(proves('openapi.shared', 'are large arguments and results, under the name of the function'), () => {
    const large = object(
      Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, { type: 'string', description: LONG }])),
    );
    const { components, paths } = documentOf(
      fn({ name: 'placeOrder', input: large, output: { ...large, description: 'Another' } }),
    );
    expect(Object.keys(components.schemas)).toEqual(['Failure', 'PlaceOrderArguments', 'PlaceOrderResult']);
    const { requestBody, responses } = paths['/functions/placeOrder'].post;
    expect(requestBody.content['application/json'].schema.$ref).toBe('#/components/schemas/PlaceOrderArguments');
    // The body itself is small, and stays where tools look for it.
    expect(responses[200].content['application/json'].schema).toEqual({
      type: 'object',
      properties: { result: { $ref: '#/components/schemas/PlaceOrderResult' } },
      required: ['result'],
    });
  });

  it(proves('openapi.shared', 'are not the small results of functions that are the same by chance'), () => {
    const result = (name: string) => fn({ name, output: worthIt('same') });
    expect(namesOf(result('Add'), result('Subtract'))).toEqual([]);
    const { components } = openApiDocument(appWith(result('Add')), '3.1', '/', 'all') as any;
    expect(Object.keys(components.schemas)).toContain('AddResult');
  });

  it(proves('openapi.shared', 'tell branches of a union apart by what they say themselves'), () => {
    const shape = (kind: string) => ({
      ...object({ kind: { const: kind }, size: { type: 'string', description: LONG } }),
      required: ['kind'],
    });
    const given = holding({ anyOf: [shape('circle'), shape('big-square')] }, 'shape');
    const other = holding(shape('circle'), 'other');
    expect(
      namesOf(fn({ input: given }), fn({ input: other }), fn({ input: holding(shape('big-square'), 'x') })),
    ).toEqual(['BigSquareShape', 'CircleShape']);
  });

  it(proves('openapi.shared', 'may contain themselves, whichever library wrote them, and without numbers'), () => {
    interface Tree {
      readonly children: readonly Tree[];
    }
    const zod: z.ZodType<Tree> = z.object({ children: z.array(z.lazy(() => zod)).describe('It') }).describe('It');
    const valibot: v.GenericSchema<Tree> = v.pipe(
      v.object({ children: v.array(v.lazy(() => valibot)) }),
      v.description('It'),
    );
    const inputs = [
      input({ tree: zod }),
      toStandardJsonSchema(v.object({ tree: valibot })),
      // As arktype writes it.
      {
        ...holding({ $ref: '#/$defs/intersection2' }, 'tree'),
        $defs: {
          intersection2: object({ children: { $ref: '#/$defs/intersection1' } }),
          intersection1: { type: 'array', items: { $ref: '#/$defs/intersection2' } },
        },
      },
      {
        ...holding({ $ref: '#/$defs/0' }, 'tree'),
        $defs: { 0: object({ children: { type: 'array', items: { $ref: '#/$defs/0' } } }) },
      },
    ];
    for (const given of inputs) {
      const { Tree, ...others } = schemasOf(fn({ input: given }));
      expect(Object.keys(others)).toEqual(['Failure']);
      expect(Tree.properties.children.items).toEqual({ $ref: '#/components/schemas/Tree' });
    }
    for (const output of [zod, toStandardJsonSchema(valibot)]) {
      expect(namesOf(fn({ name: 'Grow', output }))).toEqual(['GrowResult']);
    }
    expect(namesOf(fn({ name: 'Plant', input: zod }))).toEqual(['PlantArguments']);
    // Lists of lists of lists.
    const endless = { $defs: { 0: { type: 'array', items: { $ref: '#/$defs/0' } } } };
    expect(namesOf(fn({ input: { ...holding({ $ref: '#/$defs/0' }, 'nested'), ...endless } }))).toEqual(['NestedItem']);
  });

  it(proves('openapi.shared', 'have names that every tool can use, whatever the author calls them'), () => {
    const words = ['__proto__', 'constructor', 'toString', 'Größe & Maß', '注文', '1st', 'a/b~c'];
    const names = [...words, 'x'.repeat(5000), '-'];
    const $defs = Object.fromEntries(names.map((name, i) => [name, object({ [`f${i}`]: { type: 'string' } })]));
    const refs = names.map((name) => `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
    const given = { ...object(Object.fromEntries(refs.map((ref, i) => [`field${i}`, { $ref: ref }]))), $defs };
    const schemas = schemasOf(fn({ name: 'Hostile', input: given }));
    // Together with Failure, and without __proto__, which counts as generated.
    expect(Object.keys(schemas)).toHaveLength(names.length);
    for (const name of Object.keys(schemas)) {
      expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9._-]{0,79}$/);
      expect(name in Object.prototype).toBe(false);
    }
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Constructor', 'ToString', 'Schema1st', 'a_b_c', 'Field4']),
    );
  });

  it(proves('openapi.shared', 'include error responses: equal ones once, others by function'), () => {
    const gone = (description: string) => ({ errors: { ITEM_GONE: { description, status: 410 } } });
    const { components, paths } = documentOf(
      fn({ name: 'A', ...gone('It is gone.') }),
      fn({ name: 'B', ...gone('It is gone.') }),
      fn({ name: 'C', ...gone('Sold.') }),
      fn({ name: 'D', errors: { BAD_NAME: { description: 'The name is bad.', status: 400 } } }),
      fn({ name: 'E', rate: { calls: 1, seconds: 1 } }),
    );
    const responseOf = (name: string) => paths[`/functions/${name}`].post.responses;
    expect(['A', 'B', 'C'].map((name) => responseOf(name)[410].$ref)).toEqual([
      '#/components/responses/ItemGone',
      '#/components/responses/ItemGone',
      '#/components/responses/CItemGone',
    ]);
    expect(responseOf('E')[429]).toEqual({ $ref: '#/components/responses/RateLimited' });
    expect(components.responses.CItemGone.description).toBe('`ITEM_GONE`: Sold.');
    expect(responseOf('D')[400].description).toBe('`INVALID_JSON`, `INVALID_ARGUMENTS`. `BAD_NAME`: The name is bad.');
    expect(Object.keys(components.responses.Unavailable.headers)).toEqual(['Everywire-Error-Code', 'Retry-After']);
  });

  it(proves('openapi.deterministic', 'do not depend on the order of functions, and one more changes no other'), () => {
    const order = withId('Order', z.object({ amount: z.int().default(1) }));
    const functions = [
      fn({ name: 'One', input: input({ order }), output: order }),
      fn({ name: 'Two', output: z.array(order).describe('It') }),
      fn({ name: 'Three', output: { ...forms.date, description: 'When' } }),
    ];
    const [first, reversed] = [functions, functions.toReversed()].map((list) => documentOf(...list));
    expect(reversed.paths).toEqual(first.paths);
    expect(reversed.components).toEqual(first.components);
    expect(openApiText(appWith(...functions), '3.1')).toBe(openApiText(appWith(...functions), '3.1'));
    const more = documentOf(...functions, fn({ name: 'Four', output: named('Other', 'x') }));
    expect(more.paths).toMatchObject(first.paths);
  });
});
