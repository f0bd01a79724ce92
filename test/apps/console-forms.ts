import { createApp, type JsonSchema } from 'everywire';
import { fn, silent } from '../kit/functions.ts';
import { $defs as shapeDefs, shapes } from '../console/shapes.ts';

const object = (properties: object, required = Object.keys(properties), more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const integer = { type: 'integer' };
const text = { type: 'string' };
const number = { type: 'number' };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const bytes = { type: 'string', contentEncoding: 'base64' };

const tree = { $ref: '#/$defs/Tree' };
const wide = { $ref: '#/$defs/Wide' };
const $defs = {
  Tree: object({ value: integer, left: orNull(tree), right: orNull(tree) }),
  Node: object({ id: integer, next: orNull({ $ref: '#/$defs/Node' }) }),
  Expression: { anyOf: [object({ op: text, a: { $ref: '#/$defs/Expression' } }), number] },
  Wide: object(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => [name, wide])), []),
};

/** Schemas that are hard to show: each function returns its arguments. */
const inputs: Readonly<Record<string, object>> = {
  Tree: object({ tree }),
  Chain: object({ first: { $ref: '#/$defs/Node' } }),
  Expression: object({ e: { $ref: '#/$defs/Expression' } }),
  Wide: object({ wide }, []),
  Mutual: object({ a: { $ref: '#/$defs/M0' } }, [], {
    $defs: Object.fromEntries(
      [0, 1, 2, 3, 4, 5, 6, 7].map((one) => [
        `M${one}`,
        object(Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((to) => [`f${to}`, { $ref: `#/$defs/M${to}` }])), []),
      ]),
    ),
  }),
  Number: object({ n: number }),
  Loose: object({ a: integer }),
  TextOrNumber: object({ id: { anyOf: [text, number] } }),
  NumberOrText: object({ id: { anyOf: [number, text] } }),
  TypeList: object({ id: { type: ['string', 'number'] } }),
  Constant: object({ a: integer, kind: { const: 'admin' } }, ['a']),
  Open: object({ a: integer }, ['a'], { additionalProperties: true }),
  Branches: object({ s: { oneOf: [object({ a: text }, [], { additionalProperties: true }), object({ b: text })] } }),
  Flag: object({ flag: { type: 'boolean' }, a: integer }),
  ListWithDefault: object({ l: { type: 'array', items: text, default: ['a'] } }, []),
  Anything: object({ v: {} }),
  Map: object({ name: text }, ['name'], { additionalProperties: integer }),
  Items: object({ l: { type: 'array', items: { anyOf: [number, text] } } }),
  Files: object({ l: { type: 'array', items: bytes } }),
  FileAndNote: object({ f: bytes, note: text }),
  Secret: object({ key: { type: 'string', format: 'password' } }),
  OptionalNumber: object({ n: orNull(number) }, []),
  OptionalText: object({ s: orNull(text) }, []),
  Either: {
    ...object({ name: text, email: text, phone: text }, ['name']),
    anyOf: [{ required: ['email'] }, { required: ['phone'] }],
  },
  AllOf: object({ v: { allOf: [object({ a: text }), { properties: { a: { minLength: 2 } } }] } }),
  Listed: object({ e: { enum: [{ a: 1, b: 2 }, { a: 2 }] } }),
};

const returning = (name: string, input: object, run: (given: any) => unknown) =>
  fn(name, { input: input as JsonSchema, output: { description: 'The arguments' }, hints: { readOnly: true } }, run);

/** A function for each shape of a schema, and for what is hard to show. */
const functions = [
  ...shapes.map(({ name, schema }) =>
    returning(name, { ...object({ value: schema }), $defs: shapeDefs }, ({ value }) => value),
  ),
  ...Object.entries(inputs).map(([name, input]) => returning(name, { $defs, ...input }, (given) => given)),
];

export default createApp({ name: 'Forms', version: '1.0.0', functions, log: silent });
