import { createApp, defineFunction, Failure, forms } from 'everywire';
import type { FunctionDefinition, HttpOptions, JsonSchema } from 'everywire';
import { z } from 'zod';

const echoed = { description: 'What arrived' } as const;
const readOnly = { readOnly: true } as const;

/** Returns what it is given. */
function echo(
  name: string,
  properties: Record<string, JsonSchema>,
  http: HttpOptions,
  more: Partial<FunctionDefinition> & JsonSchema = {},
): FunctionDefinition {
  const { required = Object.keys(properties), strict, coerce, ...rest } = more;
  const described = Object.entries(properties).map(([key, schema]) => [key, { description: key, ...schema }]);
  return defineFunction({
    name,
    description: `Returns what it is given`,
    hints: readOnly,
    http,
    ...(strict !== undefined && { strict }),
    ...(coerce !== undefined && { coerce }),
    input: { type: 'object', properties: Object.fromEntries(described), required, ...rest } as { type: 'object' },
    output: echoed,
    run: (input: object) => input,
  }) as FunctionDefinition;
}

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const GET = { method: 'GET' } as const;

/** Functions that are called with GET, under paths of their own, and with forms. */
export default createApp({
  name: 'Queries',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  errors: 'shown',
  log: { debug() {}, info() {}, warn() {}, error() {} },
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds two numbers',
      hints: readOnly,
      http: { method: 'GET', path: '/add' },
      input: z.object({ x: z.int().describe('One'), y: z.int().describe('Two') }),
      output: z.int().describe('The sum'),
      examples: [{ input: { x: 1, y: 2 }, output: 3 }],
      run: ({ x, y }) => x + y,
    }),
    defineFunction({
      name: 'GetUser',
      description: 'Returns a user',
      hints: readOnly,
      http: { method: 'GET', path: '/users/{id}', cacheControl: 'public, max-age=60' },
      errors: { NOT_FOUND: { description: 'There is no such user', status: 404 } },
      input: z.object({ id: z.int().describe('The id'), fields: z.array(z.string()).optional().describe('Fields') }),
      output: z.object({ id: z.int(), fields: z.array(z.string()).optional() }).describe('The user'),
      run: ({ id, fields }) => {
        if (id === 404) throw new Failure('NOT_FOUND', 'No such user');
        return { id, ...(fields && { fields }) };
      },
    }),
    echo('Me', {}, { method: 'GET', path: '/users/me' }),
    defineFunction({
      name: 'RenameUser',
      description: 'Renames a user',
      http: { path: '/users/{id}' },
      input: z.object({ id: z.int().describe('The id'), name: z.string().describe('The new name') }),
      output: z.object({ id: z.int(), name: z.string() }).describe('The user'),
      run: (input) => input,
    }),
    echo('Post', { user: integer, slug: text }, { method: 'GET', path: '/users/{user}/posts/{slug}' }),
    echo('Flag', { on: { type: 'boolean' } }, { method: 'GET', path: '/flags/{on}' }),
    echo(
      'Search',
      {
        q: text,
        limit: integer,
        exact: { type: 'boolean' },
        tags: { type: 'array', items: text },
        ids: { type: 'array', items: integer },
        address: {
          type: 'object',
          properties: { city: text, zip: integer, geo: { type: 'object', properties: { lat: { type: 'number' } } } },
        },
        either: { anyOf: [text, { type: 'array', items: text }] },
        when: forms.date,
        big: forms.bigint,
        any: {},
      },
      GET,
      { required: [] },
    ),
    echo('Strict', { n: integer }, GET, { strict: true, required: [] }),
    echo('Exact', { n: integer }, GET, { coerce: false }),
    echo('Profiled', { profile: text }, GET),
    echo('Dotted', { 'a.b': integer, a: { type: 'object', properties: { b: text } } }, GET, { required: [] }),
    echo('Open', {}, GET, { additionalProperties: true }),
    echo(
      'Shape',
      {
        shape: {
          oneOf: [
            { type: 'object', properties: { kind: { const: 'circle' }, size: integer }, required: ['kind', 'size'] },
            { type: 'object', properties: { kind: { const: 'named' }, size: text }, required: ['kind', 'size'] },
          ],
        },
      },
      GET,
    ),
    echo('Recursive', { tree: { $ref: '#/$defs/tree' } }, GET, {
      $defs: { tree: { type: 'object', properties: { value: integer, next: { $ref: '#/$defs/tree' } } } },
    }),
    defineFunction({
      name: 'Login',
      description: 'Takes a secret, in a form',
      input: z.object({
        user: z.string().describe('Who'),
        password: z.string().meta({ format: 'password' }).describe('Secret'),
      }),
      output: z.boolean().describe('Whether it fits'),
      run: ({ password }) => password === 'secret',
    }),
  ] as const,
});
