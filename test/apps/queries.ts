import { createApp, Failure, forms, type FunctionDefinition, type HttpOptions, type JsonSchema } from 'everywire';
import { z } from 'zod';
import { fn, silent } from '../kit/functions.ts';

const hints = { readOnly: true };

/** Returns what it is given. */
function echo(
  name: string,
  properties: Record<string, JsonSchema>,
  http: HttpOptions,
  more: Partial<FunctionDefinition> & JsonSchema = {},
): FunctionDefinition {
  const { required = Object.keys(properties), strict, coerce, ...rest } = more;
  const described = Object.entries(properties).map(([key, schema]) => [key, { description: key, ...schema }]);
  const input = { type: 'object', properties: Object.fromEntries(described), required, ...rest } as const;
  const flags = { ...(strict !== undefined && { strict }), ...(coerce !== undefined && { coerce }) };
  return fn(name, { hints, http, ...flags, input, output: { description: 'What arrived' } }, (given) => given);
}

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const GET = { method: 'GET' } as const;

const id = z.int().describe('The id');
const fields = z.array(z.string()).optional().describe('Fields');
const name = z.string().describe('The new name');
const NOT_FOUND = { description: 'There is no such user', status: 404 };
const circle = { type: 'object', properties: { kind: { const: 'circle' }, size: integer }, required: ['kind', 'size'] };
const named = { type: 'object', properties: { kind: { const: 'named' }, size: text }, required: ['kind', 'size'] };

const add = fn(
  'Add',
  {
    hints,
    http: { method: 'GET', path: '/add' },
    input: z.object({ x: z.int().describe('One'), y: z.int().describe('Two') }),
    output: z.int().describe('The sum'),
    examples: [{ input: { x: 1, y: 2 }, output: 3 }],
  },
  ({ x, y }) => x + y,
);

const getUser = fn(
  'GetUser',
  {
    hints,
    http: { method: 'GET', path: '/users/{id}', cacheControl: 'public, max-age=60' },
    errors: { NOT_FOUND },
    input: z.object({ id, fields }),
    output: z.object({ id: z.int(), fields: z.array(z.string()).optional() }).describe('The user'),
  },
  (input) => {
    if (input.id === 404) throw new Failure('NOT_FOUND', 'No such user');
    return { id: input.id, ...(input.fields && { fields: input.fields }) };
  },
);

/** Takes a secret, in a form. */
const login = fn(
  'Login',
  {
    input: z.object({
      user: z.string().describe('Who'),
      password: z.string().meta({ format: 'password' }).describe('Secret'),
    }),
    output: z.boolean().describe('Whether it fits'),
  },
  ({ password }) => password === 'secret',
);

/** Functions that are called with GET, under paths of their own, and with forms. */
export default createApp({
  name: 'Queries',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  errors: 'shown',
  log: silent,
  functions: [
    add,
    getUser,
    echo('Me', {}, { method: 'GET', path: '/users/me' }),
    fn(
      'RenameUser',
      { http: { path: '/users/{id}' }, input: z.object({ id, name }), output: z.object({ id, name }).describe('It') },
      (input) => input,
    ),
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
    echo('Shape', { shape: { oneOf: [circle, named] } }, GET),
    echo('Recursive', { tree: { $ref: '#/$defs/tree' } }, GET, {
      $defs: { tree: { type: 'object', properties: { value: integer, next: { $ref: '#/$defs/tree' } } } },
    }),
    login,
  ],
});
