import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { itemsOf, textsOf } from './content-texts.ts';
import { dataMatches } from './matches.ts';
import { isBareJson } from './bare-json.ts';
import { OURS, STANDARD, absent, everyItem, is, required, when } from './rule.ts';
import type { FindProblems, Rule } from './rule.ts';

const saysError: FindProblems = (body) => {
  const { success, error } = body;
  const message = isRecord(error) ? error['message'] : undefined;
  if (success !== false || typeof message !== 'string' || itemsOf(body).length === 0) return [];
  return textsOf(body).some((text) => text.includes(message))
    ? []
    : [{ pointer: '/content', message: 'no text contains the error message' }];
};

const isReadable: FindProblems = (body) =>
  itemsOf(body).flatMap((item, i) =>
    isRecord(item) && typeof item['text'] === 'string' && isBareJson(item['text'], body['data'])
      ? [{ pointer: `/content/${i}/text`, message: 'is the data as bare JSON' }]
      : [],
  );

export const envelopeRules: readonly Rule[] = (
  [
    {
      id: 'success',
      sentence: '`success` is true or false',
      reason: 'Clients check this first; without it neither `data` nor `error` can be trusted.',
      origin: `${STANDARD}: key requirements 3 and 4, pitfall 5`,
      holds: required('success', { type: 'boolean' }),
    },
    {
      id: 'timestamp',
      sentence: '`timestamp` is when the response was made, in ISO 8601',
      reason: 'Logs and caches of different clients can be compared.',
      origin: `${STANDARD}: key requirement 5`,
      holds: required('timestamp', { type: 'string', format: 'date-time' }),
    },
    {
      id: 'content',
      sentence: '`content` is a list',
      reason: 'Clients show it if they know nothing about the data.',
      origin: `${STANDARD}: key requirement 1, pitfall 1`,
      holds: required('content', { type: 'array' }),
    },
    {
      id: 'content-not-empty',
      sentence: '`content` has at least one item',
      reason: 'Otherwise a client has nothing to show.',
      origin: `${STANDARD}: schema validation, auditing`,
      holds: { properties: { content: { minItems: 1 } } },
    },
    {
      id: 'item-type',
      sentence: 'Every item of `content` has a `type`',
      reason: 'Without it a client cannot know how to show the item.',
      origin: `${STANDARD}: key requirement 2, pitfall 3`,
      holds: {
        properties: {
          content: {
            items: { type: 'object', properties: { type: { type: 'string', minLength: 1 } }, required: ['type'] },
          },
        },
      },
    },
    {
      id: 'text-item',
      sentence: 'A text item has `text`',
      reason: 'There is nothing else to show.',
      origin: `${STANDARD}: text responses`,
      holds: everyItem('envelope', 'text'),
    },
    {
      id: 'image-item',
      sentence: 'An image has `url` and `altText`',
      reason: 'The one shows the image, the other describes it for people who cannot see it.',
      origin: `${STANDARD}: image responses`,
      holds: everyItem('envelope', 'image'),
    },
    {
      id: 'resource-item',
      sentence: 'A resource has `resourceType`, `identifier` and `name`',
      reason: 'A client can then fetch it and show its name.',
      origin: `${STANDARD}: resource responses`,
      holds: everyItem('envelope', 'resource'),
    },
    {
      id: 'error-required',
      sentence: 'A failure has an `error` with `code` and `message`',
      reason: 'Programs act on the code, people on the message.',
      origin: `${STANDARD}: key requirement 4, pitfall 2`,
      holds: when(
        is('success', false),
        required('error', {
          type: 'object',
          properties: { code: { type: 'string', minLength: 1 }, message: { type: 'string' } },
          required: ['code', 'message'],
        }),
      ),
    },
    {
      id: 'error-forbidden',
      sentence: 'A success has no `error`',
      reason: 'Otherwise two fields contradict each other, and clients differ in which one they trust.',
      origin: `${STANDARD}: schema validation`,
      holds: when(is('success', true), absent('error')),
    },
    {
      id: 'data-forbidden',
      sentence: 'A failure has no `data`',
      reason: 'Data next to an error looks like a result; what helps to fix the error belongs in `error.details`.',
      origin: `${STANDARD}: response format requirements`,
      holds: when(is('success', false), absent('data')),
    },
    {
      id: 'error-said',
      sentence: 'The text in `content` contains the error message',
      reason: 'Some clients show only the content.',
      origin: `${STANDARD}: error responses`,
      holds: saysError,
    },
    {
      id: 'readable',
      sentence: 'Text is for people: not just the data as one line of JSON',
      reason: 'The data is already in `data`; people have to read the text.',
      origin: `${STANDARD}: pitfall 4, best practices 2 and 6`,
      holds: isReadable,
    },
    {
      id: 'data-schema',
      sentence: '`data` matches the output schema of the function',
      reason: 'Typed clients rely on it.',
      origin: OURS,
      holds: (body, about) => (body['success'] === true ? dataMatches('data', body, about) : []),
    },
  ] satisfies Omit<Rule, 'profile'>[]
).map((rule) => ({ ...rule, id: `envelope.${rule.id}`, profile: 'envelope' }));

/** The standard as one JSON Schema: all of its rules that JSON Schema can express. */
export const envelopeSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  allOf: envelopeRules.flatMap(({ holds }) => (typeof holds === 'function' ? [] : [holds])),
};
