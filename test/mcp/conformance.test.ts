import { specTypeSchemas } from '@modelcontextprotocol/client';
import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import app from '../conformance/app.ts';
import { proves } from '../promises.ts';
import { INITIALIZE, begin, legacy, listenTo, messagesIn, modern, post } from './mcp-post.ts';

// The app of the official suite, whose messages are checked with the official schemas: those of the first SDK for 2025-11-25, and
// those of the second one for 2026-07-28. The suite itself needs a newer Node.js, and runs in conformance.full.test.ts.

type Revision = '2025-11-25' | '2026-07-28';

/** What the official schema of a type finds wrong. */
function problemsOf(revision: Revision, type: string, value: unknown): unknown {
  const schema =
    revision === '2025-11-25'
      ? (sdk as unknown as Record<string, { safeParse(given: unknown): { error?: unknown } }>)[`${type}Schema`]
      : specTypeSchemas[type as keyof typeof specTypeSchemas];
  if (!schema) throw new Error(`no schema of ${type} in ${revision}`);
  if ('safeParse' in schema) return schema.safeParse(value).error;
  return (schema['~standard'].validate(value) as { issues?: unknown }).issues;
}

const send = (revision: Revision, asked: { method: string; params?: Record<string, unknown> }) =>
  revision === '2025-11-25' ? legacy(app, asked) : modern(app, asked);

const CALLS = [
  'test_simple_text',
  'test_image_content',
  'test_audio_content',
  'test_embedded_resource',
  'test_multiple_content_types',
  'test_error_handling',
  'json_schema_2020_12_tool',
].map((name) => ['tools/call', { name, arguments: {} }, 'CallToolResult'] as const);

const ASKED: readonly (readonly [method: string, params: Record<string, unknown>, result: string])[] = [
  ['tools/list', {}, 'ListToolsResult'],
  ...CALLS,
  ['resources/list', {}, 'ListResourcesResult'],
  ['resources/templates/list', {}, 'ListResourceTemplatesResult'],
  ...['test://static-text', 'test://static-binary', 'test://template/1/data'].map(
    (uri) => ['resources/read', { uri }, 'ReadResourceResult'] as const,
  ),
  ['prompts/list', {}, 'ListPromptsResult'],
  ['prompts/get', { name: 'test_simple_prompt' }, 'GetPromptResult'],
  ['prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } }, 'GetPromptResult'],
  [
    'prompts/get',
    { name: 'test_prompt_with_embedded_resource', arguments: { resourceUri: 'test://a' } },
    'GetPromptResult',
  ],
  ['prompts/get', { name: 'test_prompt_with_image' }, 'GetPromptResult'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: '' } },
    'CompleteResult',
  ],
];

describe.each(['2025-11-25', '2026-07-28'] as const)('revision %s', (revision) => {
  it.each(ASKED)(proves('mcp.conformance', '%s %j has the official form'), async (method, params, type) => {
    const [message] = await messagesIn(await send(revision, { method, params }));
    expect(message.error).toBeUndefined();
    expect(problemsOf(revision, 'JSONRPCMessage', message)).toBeUndefined();
    expect(problemsOf(revision, type, message.result)).toBeUndefined();
    if (revision === '2026-07-28') expect(message.result.resultType).toBe('complete');
    // And the schema is one that refuses something.
    if (type !== 'CallToolResult') expect(problemsOf(revision, type, {})).toBeDefined();
  });

  it(proves('mcp.conformance', 'notifications and refusals have the official form'), async () => {
    const notified = new Set<string>();
    for (const name of ['test_tool_with_progress', 'test_tool_with_logging']) {
      const _meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
      const messages = await messagesIn(await send(revision, { method: 'tools/call', params: { name, _meta } }));
      expect(problemsOf(revision, 'CallToolResult', messages.pop().result)).toBeUndefined();
      for (const message of messages) {
        expect(problemsOf(revision, 'ServerNotification', message)).toBeUndefined();
        notified.add(message.method as string);
      }
    }
    expect(notified).toEqual(new Set(['notifications/progress', 'notifications/message']));
    for (const [method, params, code] of [
      ['tools/call', { name: 'no such tool' }, -32602],
      ['no/such/method', {}, -32601],
    ] as const) {
      const [refused] = await messagesIn(await send(revision, { method, params }));
      expect(refused).toMatchObject({ error: { code } });
      expect(problemsOf(revision, 'JSONRPCErrorResponse', refused)).toBeUndefined();
    }
  });
});

it(proves('mcp.conformance', 'the handshake of 2025-11-25, and its elicitation'), async () => {
  const [{ result }] = await messagesIn(await post(app, INITIALIZE));
  expect(problemsOf('2025-11-25', 'InitializeResult', result)).toBeUndefined();
  expect(problemsOf('2025-11-25', 'InitializeResult', { ...result, capabilities: undefined })).toBeDefined();
  const session = await begin(app);
  const asking = { method: 'tools/call', params: { name: 'test_elicitation', arguments: { message: 'Who?' } } };
  const stream = listenTo(await legacy(app, asking, session));
  const asked = await stream.next();
  expect(asked.method).toBe('elicitation/create');
  expect(problemsOf('2025-11-25', 'ElicitRequest', asked)).toBeUndefined();
  await stream.close();
});

it(proves('mcp.conformance', 'the discovery of 2026-07-28, and its subscriptions'), async () => {
  const [{ result }] = await messagesIn(await modern(app, { method: 'server/discover' }));
  expect(problemsOf('2026-07-28', 'DiscoverResult', result)).toBeUndefined();
  expect(problemsOf('2026-07-28', 'DiscoverResult', { ...result, capabilities: undefined })).toBeDefined();
  const params = { notifications: { toolsListChanged: true } };
  const stream = listenTo(await modern(app, { method: 'subscriptions/listen', params }));
  const acknowledged: unknown = await stream.next();
  expect(problemsOf('2026-07-28', 'SubscriptionsAcknowledgedNotification', acknowledged)).toBeUndefined();
  await stream.close();
});
