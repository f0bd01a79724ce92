import { createApp, defineFunction } from 'everywire';
import { afterEach, expect, it, vi } from 'vitest';
import { keys, options } from '../apps/access.ts';
import { META, messagesIn, post } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';

const text = { type: 'string', description: 'Text' } as const;
const confirm = (name: string) =>
  defineFunction({
    name,
    description: 'Asks first',
    scopes: 'public',
    input: { type: 'object', properties: { what: text }, required: ['what'] },
    output: text,
    run: async ({ what }, context) => {
      const yes = { type: 'object', properties: { yes: { type: 'boolean' } } } as const;
      await context.ask(yes, 'Really?');
      return `${what} for ${context.principal.id}`;
    },
  });
const app = createApp({ ...options, functions: [confirm('Delete'), confirm('Create')], resources: [], prompts: [] });

afterEach(() => void vi.useRealTimers());

async function call(key: string | undefined, name: string, what: string, more: object = {}) {
  const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const response = await post(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { what }, _meta, ...more } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(key !== undefined && { 'x-api-key': key }),
    },
  );
  const [message] = await messagesIn(response);
  return { status: response.status, ...(message as { result?: any; error?: any }) };
}

const inputResponses = { question1: { action: 'accept', content: { yes: true } } };
const INVALID = { code: -32602, message: 'Invalid or expired requestState' };

it(proves('access.request-state', 'answers count for the same principal, function and arguments only'), async () => {
  const { result: asked } = await call(keys.reader, 'functions.Delete', 'all');
  expect(asked).toMatchObject({ resultType: 'input_required' });
  const again = { inputResponses, requestState: asked.requestState as string };
  for (const [key, name, what] of [
    [keys.admin, 'functions.Delete', 'all'],
    [keys.nobody, 'functions.Delete', 'all'],
    [undefined, 'functions.Delete', 'all'],
    [keys.reader, 'functions.Create', 'all'],
    [keys.reader, 'functions.Delete', 'one'],
  ] as const)
    expect((await call(key, name, what, again)).error, `${key} ${name} ${what}`).toMatchObject(INVALID);
  const { result } = await call(keys.reader, 'functions.Delete', 'all', again);
  expect(result).toMatchObject({ structuredContent: { result: 'all for reader' } });
});

it(proves('access.request-state', 'a credential that is not valid is refused as such'), async () => {
  const { result: asked } = await call(keys.reader, 'functions.Delete', 'all');
  const again = { inputResponses, requestState: asked.requestState as string };
  expect(await call('wrong', 'functions.Delete', 'all', again)).toMatchObject({
    status: 401,
    error: { data: { code: 'UNAUTHENTICATED' } },
  });
});

it(proves('access.request-state', 'what was anonymous does not become the answer of somebody'), async () => {
  const { result: asked } = await call(undefined, 'functions.Delete', 'all');
  const again = { inputResponses, requestState: asked.requestState as string };
  expect((await call(keys.reader, 'functions.Delete', 'all', again)).error).toMatchObject(INVALID);
  const { result } = await call(undefined, 'functions.Delete', 'all', again);
  expect(result).toMatchObject({ structuredContent: { result: 'all for anonymous' } });
});

it(proves('access.request-state', 'it expires after ten minutes, and cannot be changed'), async () => {
  const { result: asked } = await call(keys.reader, 'functions.Delete', 'all');
  const requestState = asked.requestState as string;
  const middle = Math.floor(requestState.length / 2);
  const changed =
    requestState.slice(0, middle) + (requestState[middle] === 'A' ? 'B' : 'A') + requestState.slice(middle + 1);
  const replayed = (state: string) =>
    call(keys.reader, 'functions.Delete', 'all', { inputResponses, requestState: state });
  expect((await replayed(changed)).error).toMatchObject(INVALID);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  expect((await replayed(requestState)).error).toMatchObject(INVALID);
});
