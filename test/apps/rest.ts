import { createHmac, timingSafeEqual } from 'node:crypto';
import { createApp, defineFunction, Failure } from 'everywire';
import { silent } from '../kit/functions.ts';

const id = { type: 'integer', description: 'The id' } as const;
const name = { type: 'string', description: 'The name' } as const;
const one = { type: 'object', properties: { id }, required: ['id'] } as const;
const both = { type: 'object', properties: { id, name }, required: ['id', 'name'] } as const;
const text = { type: 'string', description: 'What happened' } as const;

const create = defineFunction({
  name: 'Create',
  description: 'Creates an item',
  http: {
    path: '/items',
    status: 201,
    headers: { Location: { description: 'Where the item is' }, 'X-Left': { description: 'How many may follow' } },
  },
  input: { type: 'object', properties: { name }, required: ['name'] } as const,
  output: text,
  run(input, context) {
    if (input.name === 'none') return new Failure('NOT_FOUND', 'No such name');
    const places: Record<string, string> = { split: '/a\r\nSet-Cookie: a=b', other: '//example.com/a' };
    context.setHeader('location', places[input.name] ?? `/items/${input.name}`);
    context.setHeader('X-Left', 3);
    if (input.name === 'undeclared') context.setHeader('X-Other', 'a');
    return input.name;
  },
});

const replace = defineFunction({
  name: 'Replace',
  description: 'Replaces an item',
  http: { method: 'PUT', path: '/items/{id}' },
  input: both,
  output: text,
  run: (input) => `replaced ${input.id} ${input.name}`,
});

const change = defineFunction({
  name: 'Change',
  description: 'Changes an item',
  http: { method: 'PATCH', path: '/items/{id}', status: 202 },
  input: both,
  output: text,
  run: (input) => `changed ${input.id} ${input.name}`,
});

const remove = defineFunction({
  name: 'Remove',
  description: 'Removes an item',
  http: { method: 'DELETE', path: '/items/{id}', status: 204 },
  input: {
    type: 'object',
    properties: { id, force: { type: 'boolean', description: 'Even if it is used' } },
    required: ['id'],
  } as const,
  run(input) {
    if (input.id === 7 && !input.force) throw new Failure('CONFLICT', 'It is used');
  },
});

const get = defineFunction({
  name: 'Get',
  description: 'Returns an item',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/items/{id}', headers: { 'X-Version': { description: 'Of the item' } } },
  input: one,
  output: text,
  run(input, { setHeader }) {
    setHeader('x-version', 4);
    return `item ${input.id}`;
  },
});

const hook = defineFunction({
  name: 'Hook',
  description: 'Receives events',
  http: { path: '/hook', rawBody: true },
  input: { type: 'object', additionalProperties: true } as const,
  output: text,
  run(_input, { raw }) {
    if (!raw) return 'nothing is signed here';
    const expected = createHmac('sha256', 'secret').update(raw.body).digest();
    const given = Buffer.from(raw.headers['x-signature'] ?? '', 'hex');
    const isValid = given.length === expected.length && timingSafeEqual(given, expected);
    return isValid ? `${raw.body.byteLength} bytes` : new Failure('FORBIDDEN', 'The signature is wrong');
  },
});

export default createApp({
  name: 'Rest',
  version: '1.0.0',
  log: silent,
  functions: [create, replace, change, remove, get, hook],
});
