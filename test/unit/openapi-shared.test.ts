import { createApp, defineFunction, forms } from 'everywire';
import type { JsonSchema } from 'everywire';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { App as SourceApp } from '../../src/app/app.ts';
import { openApiDocument, openApiText } from '../../src/wires/http/openapi/document.ts';
import { proves } from '../promises.ts';

/** Typed by the source instead of the build. */
const appWith = (...functions: object[]): SourceApp =>
  createApp({ name: 'Shared', version: '1.0.0', functions: functions as never }) as never;

let count = 0;
/** A function with a name of its own. */
const fn = (facts: object) =>
  defineFunction({ name: `F${++count}`, description: 'Does it', run: () => undefined as never, ...facts } as never);

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

  it(proves('openapi.shared', 'have names that differ in more than case and punctuation'), () => {
    const $defs = { order: worthIt('a'), Order: worthIt('b'), OR_DER: worthIt('c') };
    const given = {
      ...object(Object.fromEntries(Object.keys($defs).map((key, i) => [`f${i}`, { $ref: `#/$defs/${key}` }]))),
      $defs,
    };
    const folded = namesOf(fn({ name: 'Case', input: given })).map((name) =>
      name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
    );
    expect(new Set(folded).size).toBe(3);
  });

  it(proves('openapi.shared', 'include error responses: equal ones once, others by function'), () => {
    const gone = (description: string) => ({ errors: { ITEM_GONE: { description, status: 410 } } });
    const { components, paths } = documentOf(
      fn({ name: 'A', ...gone('It is gone.') }),
      fn({ name: 'B', ...gone('It is gone.') }),
      fn({ name: 'C', ...gone('Sold.') }),
      fn({ name: 'D', errors: { BAD_NAME: { description: 'The name is bad.', status: 400 } } }),
    );
    const responseOf = (name: string) => paths[`/functions/${name}`].post.responses;
    expect(['A', 'B', 'C'].map((name) => responseOf(name)[410].$ref)).toEqual([
      '#/components/responses/ItemGone',
      '#/components/responses/ItemGone',
      '#/components/responses/CItemGone',
    ]);
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
