import type { TaskStatus } from '../../../core/task.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';

const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] satisfies TaskStatus[];

/** A task, as `GET /tasks/<id>` returns it. */
export const TASK: JsonSchema = {
  type: 'object',
  description: 'A call that goes on without its request.',
  properties: {
    taskId: { type: 'string', description: 'Identifies the task, and cannot be guessed.' },
    status: { type: 'string', enum: STATUSES, description: 'The last three are final.' },
    statusMessage: { type: 'string', description: 'What it is doing, or why it ended.' },
    createdAt: time('When it was created.'),
    lastUpdatedAt: time('When it changed.'),
    ttlMs: { type: ['integer', 'null'], description: 'Milliseconds from its creation until it is forgotten.' },
    pollIntervalMs: { type: 'integer', description: 'How often to ask for news, in milliseconds.' },
    progress: {
      type: 'object',
      description: 'How far it is.',
      properties: { done: { type: 'number' }, total: { type: 'number' }, message: { type: 'string' } },
      required: ['done'],
    },
    inputRequests: {
      type: 'object',
      description: 'What it waits for, by key, if its status is `input_required`.',
      additionalProperties: {
        type: 'object',
        properties: { method: { type: 'string' }, params: { type: 'object', additionalProperties: true } },
        required: ['method', 'params'],
      },
    },
    result: {
      type: 'object',
      description: 'What the call was answered with, if its status is `completed`: also if that is an error.',
      additionalProperties: true,
    },
    error: {
      type: 'object',
      description: 'Why it has no answer, if its status is `failed`.',
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      required: ['code', 'message'],
    },
  },
  required: ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttlMs', 'pollIntervalMs'],
};

/** The body of `POST /tasks/<id>/input`. */
export const INPUT: JsonSchema = {
  type: 'object',
  properties: {
    inputResponses: {
      type: 'object',
      description: 'The answers, by key. Each is the result of an MCP elicitation: `action` and `content`.',
      additionalProperties: {
        type: 'object',
        properties: {
          action: { type: 'string', enum: ['accept', 'decline', 'cancel'] },
          content: { type: 'object', additionalProperties: true },
        },
        required: ['action'],
      },
    },
  },
  required: ['inputResponses'],
};

/** The body of an answer, whichever function gave it. */
export const ANSWER: JsonSchema = { type: 'object', additionalProperties: true };

export const EMPTY: JsonSchema = { type: 'object' };

const text = (name: string, description: string, schema: object = {}) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});

export const PREFER = text(
  'Prefer',
  '`respond-async`: answer with a task. `wait=10`: but first wait so many seconds for the answer itself (RFC 7240).',
);

/** For reading a task. */
export const PREFER_WAIT = text(
  'Prefer',
  '`wait=10`: answer when the task has ended or needs input, or else after so many seconds (RFC 7240).',
);

export const IDEMPOTENCY_KEY = text(
  'Idempotency-Key',
  'For a call that becomes a task: another one with the same key and the same arguments is the same task.',
  { minLength: 1, maxLength: 255 },
);

export const TASK_ID = {
  name: 'taskId',
  in: 'path',
  required: true,
  description: 'The id of the task.',
  schema: { type: 'string' },
};

export const HEADERS = {
  Location: { description: 'The address of the task.', schema: { type: 'string', format: 'uri' } },
  'Operation-Location': { description: 'The same.', schema: { type: 'string', format: 'uri' } },
  'Preference-Applied': {
    description: '`respond-async`, if that was asked for.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'The seconds after which to look again.', schema: { type: 'integer', minimum: 0 } },
} as const;
