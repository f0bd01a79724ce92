import { createApp, defineFunction, Failure, forms } from 'everywire';
import { mcpContent } from 'everywire/responses';

export const MOMENT = '2026-01-02T03:04:05.678Z';

const instance = {
  type: 'object',
  properties: { id: { type: 'string' }, status: { type: 'string' }, cpu: { type: 'number' } },
  required: ['id', 'status'],
  description: 'An instance',
} as const;

/** One function for every kind of answer, at a time that stands still. */
export const functions = [
  defineFunction({
    name: 'GetInstance',
    description: 'One value',
    input: { type: 'object', properties: { id: { type: 'string', description: 'Which' } }, required: ['id'] },
    output: instance,
    errors: { INSTANCE_NOT_FOUND: { description: 'There is no such instance.', status: 404 } },
    run: ({ id }) => {
      if (id === 'i-1') return { id, status: 'running' };
      throw new Failure('INSTANCE_NOT_FOUND', `Instance '${id}' not found`, { details: { known: ['i-1'] } });
    },
  }),
  defineFunction({
    name: 'ListInstances',
    description: 'A list, in words of its own',
    output: { type: 'array', items: instance, description: 'All instances' },
    describe: (list) => `${list.length} instances are known`,
    run: () => [
      { id: 'i-1', status: 'running', cpu: 45 },
      { id: 'i-2', status: 'stopped', cpu: 0 },
    ],
  }),
  defineFunction({
    name: 'Split',
    description: 'Several values',
    outputs: [
      { type: 'string', description: 'Head' },
      { type: 'integer', description: 'Length of the tail' },
    ],
    run: () => ['a', 2] as const,
  }),
  defineFunction({ name: 'Stop', description: 'No value', run: () => {} }),
  defineFunction({
    name: 'Wait',
    description: 'A failure that says when to come back',
    output: { type: 'integer', description: 'Never' },
    run: () => new Failure('RATE_LIMITED', 'Too fast', { retryAfter: 7 }),
  }),
  defineFunction({
    name: 'When',
    description: 'Values that JSON has no word for',
    input: { type: 'object', properties: { at: { ...forms.date, description: 'A date' } }, required: ['at'] },
    output: {
      type: 'object',
      properties: { at: forms.date, big: forms.bigint, raw: forms.bytes },
      required: ['at', 'big', 'raw'],
      description: 'All three',
    },
    describe: ({ at }) => `In ${at.getUTCFullYear()}`,
    run: ({ at }) => ({ at, big: 2n ** 60n, raw: new Uint8Array([1, 2, 255]) }),
  }),
  defineFunction({
    name: 'Mumble',
    description: 'Its own words fail it',
    output: { type: 'string', description: 'A word' },
    describe: () => {
      throw new Error('lost for words');
    },
    run: () => 'still here',
  }),
  defineFunction({
    name: 'Login',
    description: 'Takes secrets',
    input: {
      type: 'object',
      properties: {
        user: { type: 'string', description: 'Who' },
        password: { type: 'string', minLength: 3, format: 'password', description: 'Secret' },
        tokens: {
          type: 'array',
          items: { type: 'object', properties: { value: { type: 'string', 'x-sensitive': true } } },
          description: 'More secrets',
        },
        attempts: { type: 'integer', description: 'How many' },
      },
      required: ['user', 'password'],
    },
    output: { type: 'boolean', description: 'Whether it was right' },
    run: () => true,
  }),
  defineFunction({
    name: 'Chart',
    description: 'Answers with content instead of data',
    output: { ...forms.content, description: 'A chart, and what it shows' },
    run: () => [mcpContent.text('CPU, rising'), mcpContent.image(new Uint8Array([1, 2, 3]), 'image/png')],
  }),
  defineFunction({
    name: 'Report',
    description: 'Has content beside its data',
    output: { type: 'integer', description: 'How many' },
    run: (_input, context) => {
      context.attach(mcpContent.resourceLink({ uri: 'https://example.com/report', name: 'The report' }));
      return 2;
    },
  }),
  defineFunction({
    name: 'BadContent',
    description: 'Attaches what cannot be sent',
    run: (_input, context) => context.attach({ type: 'image', data: '*', mimeType: 'image/png' }),
  }),
] as const;

export default createApp({ name: 'Profiles', version: '1.0.0', functions, clock: () => new Date(MOMENT) });
