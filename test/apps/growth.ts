import { createApp, definePrompt, defineResource, forms } from 'everywire';
import type { App, AppOptions, FunctionDefinition, HttpOptions, JsonSchema } from 'everywire';
import { z } from 'zod';
import { fn, integer as output, record, silent, string } from '../kit/functions.ts';

/** Every kind of schema that costs more for some inputs than for others; test/reliability/growth sends them those inputs. */

type Schemas = Record<string, JsonSchema>;
const object = (properties: Schemas, more: JsonSchema = {}): JsonSchema => ({ type: 'object', properties, ...more });
const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more });
const map = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values });
const strict = (properties: Schemas): JsonSchema =>
  object(properties, { required: Object.keys(properties), additionalProperties: false });
const described = (schema: JsonSchema): JsonSchema => ({ ...schema, description: 'Anything' });
/** The arguments of a function that needs one, `value`. */
const needs = (value: JsonSchema) => object({ value: described(value) }, { required: ['value'] });
const node: JsonSchema = { $ref: '#/$defs/node' };
const integer: JsonSchema = { type: 'integer' };
const text: JsonSchema = { type: 'string' };

/** A function of one argument, `value`, with definitions that it may refer to and further arguments next to it. */
function takes(name: string, value: JsonSchema, defs: Schemas = {}, more = {}, http?: HttpOptions) {
  const input = object({ value: described(value), ...more }, { required: ['value'], $defs: defs });
  return fn(name, { ...(http && { http, hints: { readOnly: true } }), input, output }, () => 1);
}

/** Returns what it is given. */
const echoes = (name: string, value: JsonSchema): FunctionDefinition =>
  fn(name, { input: needs(value), output: described(value) }, (input) => input.value);

const operations = ['add', 'sub', 'mul', 'div'];
const branch = (op: string) =>
  object({ op: { const: op }, left: node, right: node }, { required: ['op', 'left', 'right'] });
const tagged = { node: { oneOf: [{ type: 'number' }, ...operations.map(branch)] } };
const untagged = {
  node: {
    anyOf: [
      { type: 'number' },
      object({ left: node, right: node }, { required: ['left'] }),
      object({ left: node, middle: node }, { required: ['left'] }),
      object({ left: node, name: text }, { required: ['left'] }),
    ],
  },
};
const sameTwice = {
  node: { anyOf: [integer, { $ref: '#/$defs/pair' }, { $ref: '#/$defs/pair' }] },
  pair: branch('add'),
};
const extended = {
  base: object({ left: node }),
  node: { allOf: [{ $ref: '#/$defs/base' }, object({ left: node, value: integer })] },
};
const filled = { type: 'integer', default: 1 };
const extendedFilled = {
  base: object({ left: node, value: filled }),
  node: { allOf: [{ $ref: '#/$defs/base' }, object({ left: node })] },
};
const patternedFilled = { node: object({ left: node, value: filled }, { patternProperties: { '^l': node } }) };
const conditional = {
  node: object(
    { kind: text, left: node },
    {
      if: object({ left: node }, { required: ['left'] }),
      // oxlint-disable-next-line unicorn/no-thenable -- it is JSON Schema's keyword, and nobody awaits a schema
      then: object({ left: node }),
      else: object({ kind: { const: 'leaf' } }),
    },
  ),
};
const secret = { password: { type: 'string', format: 'password', description: 'A password' } };
const twenty = Array.from({ length: 20 }, (_, i) =>
  object({ kind: { const: `kind-${i}` }, [`field${i}`]: integer }, { required: ['kind', `field${i}`] }),
);
const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`wanted-${i}`, described(integer)]));

type Tree = number | { op: string; left: Tree; right: Tree };
const tree: z.ZodType<Tree> = z.lazy(() =>
  z.union([
    z.number(),
    z.discriminatedUnion(
      'op',
      operations.map((op) => z.object({ op: z.literal(op), left: tree, right: tree })) as never,
    ),
  ]),
) as never;

const hidden = z.string().meta({ format: 'password' });
const zodSecrets = z.object({ one: hidden, many: z.array(hidden), addresses: z.array(z.email()) });

const given = needs(string);
const bytes: JsonSchema = { ...forms.bytes, description: 'Bytes' };

const functions: readonly FunctionDefinition[] = [
  takes('Tagged', node, tagged),
  takes('TaggedSecret', node, tagged, secret),
  takes('Untagged', node, untagged),
  takes('UntaggedWriteOnly', node, untagged, { token: { type: 'string', writeOnly: true, description: 'A token' } }),
  takes('UntaggedSensitive', node, {
    node: { anyOf: [...untagged.node.anyOf, { type: 'string', 'x-sensitive': true }] },
  }),
  takes('SameTwice', node, sameTwice),
  takes('Extended', node, extended),
  takes('ExtendedNext', node, extended, { other: described(integer) }),
  takes('ExtendedFilled', node, extendedFilled),
  takes('PatternedFilled', node, patternedFilled),
  takes('Conditional', node, conditional),
  takes('Forest', list(node), tagged, secret),
  takes('MapOfStrict', map(strict({ net: integer }))),
  takes('MapOfSecrets', map(strict({ net: integer, ...secret }))),
  takes('Numbers', list(integer)),
  takes('Referred', list({ $ref: '#/$defs/number' }), { number: integer }),
  takes('Flags', list({ type: 'boolean' })),
  takes('Nested', list(list(list(integer)))),
  takes('Enums', list({ enum: Array.from({ length: 100 }, (_, i) => `word-${i}`) })),
  takes('Kinds', list({ oneOf: twenty })),
  takes('Unique', list(object({ id: integer, name: text }), { uniqueItems: true })),
  takes('Defaults', list(object({ a: { type: 'integer', default: 1 }, b: { type: 'string', default: 'b' } }))),
  takes('Strings', list({ type: 'string', minLength: 3, maxLength: 5, pattern: '^[a-z]+$' })),
  takes('Emoji', { type: 'string', pattern: '^\\S*$', maxLength: 2_000_000 }),
  takes('Format', { type: 'string', format: 'email' }),
  takes('Objects', list(strict({ id: integer, name: text }))),
  takes('Closed', strict({ a: integer })),
  takes('Names', { type: 'object', propertyNames: { pattern: '^[a-z]{1,8}$' }, additionalProperties: integer }),
  takes('Patterned', { type: 'object', patternProperties: { '^x-': integer }, additionalProperties: false }),
  takes('Unevaluated', { allOf: [object({ a: integer })], unevaluatedProperties: false, type: 'object' }),
  takes('Contains', list({}, { contains: { type: 'object', required: ['wanted'] } })),
  takes('Choices', list({ anyOf: operations.map((op) => ({ type: 'string', pattern: `^${op}` })) })),
  takes('AsJson', list(object({ id: integer }, { required: ['id'] }))),
  fn('Required', { input: object(fifty, { required: Object.keys(fifty) }), output }, () => 1),
  fn('Zod', { input: z.object({ value: tree.describe('A tree') }), output }, () => 1),
  fn('ZodSecrets', { input: z.object({ value: zodSecrets.describe('Secrets and addresses') }), output }, () => 1),
  fn('Throw', { input: given }, ({ value }) => {
    throw new Error(`no such thing: ${value}`);
  }),
  fn('Bytes', { input: needs(bytes), output: bytes }, ({ value }) => value),
  fn('Find', { input: given, output }, async ({ value }, { files }) => (await files.find(value)).length),
  takes('QueryNumbers', list(integer), {}, { limit: described(integer) }, { method: 'GET' }),
  takes('QueryTree', node, untagged, {}, { method: 'GET' }),
  takes('QueryPath', text, {}, {}, { method: 'GET', path: '/own/{value}' }),
  fn('QueryAny', { hints: { readOnly: true }, http: { method: 'GET' }, input: record, output }, () => 1),
  echoes('Rows', list(map({ type: ['string', 'number'] }))),
  echoes('Lines', map(text)),
  echoes('Text', text),
  echoes('Any', map({})),
];

/** The same functions in an app with other options. */
export const createGrowthApp = (options: Partial<AppOptions> = {}): App =>
  createApp({
    name: 'Growth',
    version: '1.0.0',
    functions,
    errors: 'shown',
    log: silent,
    resources: [
      defineResource({ uri: 'file://{name}.{ext}', name: 'two', description: 'Two variables', read: () => 'two' }),
      defineResource({ uri: 'part://{a}-{b}-{c}', name: 'three', description: 'Three variables', read: () => 'three' }),
    ],
    prompts: [
      definePrompt({
        name: 'begin',
        description: 'Begins',
        input: given as never,
        run: ({ value }: { value: string }) => `Begin with ${value.length} characters`,
      }),
    ],
    ...options,
  });

export default createGrowthApp();
