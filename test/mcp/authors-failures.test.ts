import { describe, expect, it } from 'vitest';
import { wireFactsOf } from '../../src/core/failure.ts';
import { Failure, codes, createApp, defineFunction, definePrompt, defineResource } from '../../src/index.ts';
import type { Middleware, Outcome } from '../../src/index.ts';
import { failure } from '../../src/responses.ts';
import { createMcpHttp } from '../../src/wires/mcp/http.ts';
import { proves } from '../promises.ts';

const PREFIX = 'io.modelcontextprotocol/';
const ENVELOPE = {
  [`${PREFIX}protocolVersion`]: '2026-07-28',
  [`${PREFIX}clientInfo`]: { name: 'test', version: '1' },
  [`${PREFIX}clientCapabilities`]: {},
};

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An app in which everything fails with the same code. */
function failing(code: string, middleware: readonly Middleware[] = []) {
  return createApp({
    name: 'Failing',
    version: '1.0.0',
    errors: 'shown',
    log: silent,
    middleware,
    functions: [
      defineFunction({ name: 'Fail', description: 'Fails', run: () => new Failure(code, 'No') }),
      defineFunction({
        name: 'Fine',
        description: 'Does not',
        output: { type: 'integer', description: 'One' },
        run: () => 1,
      }),
      defineFunction({
        name: 'Lie',
        description: 'Lies',
        output: { type: 'integer', description: 'One' },
        run: () => 'x' as never,
      }),
    ],
    resources: [
      defineResource({ name: 'fail', uri: 'fail://it', description: 'Fails', read: () => new Failure(code, 'No') }),
    ],
    prompts: [definePrompt({ name: 'fail', description: 'Fails', run: () => new Failure(code, 'No') })],
  });
}

interface Reply {
  readonly result?: { readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code: string } };
}

async function ask(app: ReturnType<typeof failing>, era: 'legacy' | 'modern', method: string, params: object) {
  const mcp = createMcpHttp(app, {});
  const named = params as { name?: string; uri?: string };
  const headers = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(era === 'modern' && {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': named.name ?? named.uri ?? '',
    }),
  };
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, ...(era === 'modern' && { _meta: ENVELOPE }) },
  };
  const body = new TextEncoder().encode(JSON.stringify(message));
  const reply = await mcp.handle({ method: 'POST', target: '/mcp', headers, body });
  await mcp.close();
  return JSON.parse(typeof reply.body === 'string' ? reply.body : await new Response(reply.body).text()) as Reply;
}

const facts = (outcome: Outcome) => (outcome.ok ? undefined : wireFactsOf(outcome));

describe.each(Object.keys(codes))('%s, raised by an author', (code) => {
  it.each(['legacy', 'modern'] as const)(
    proves('failure.author', `in middleware is a tool result, %s`),
    async (era) => {
      const deny: Middleware = () => failure(code, 'No');
      const { result } = await ask(failing('X', [deny]), era, 'tools/call', { name: 'functions.Fine', arguments: {} });
      expect(result).toMatchObject({ isError: true });
    },
  );

  it.each(['legacy', 'modern'] as const)(
    proves('failure.author', 'in a resource or a prompt is never an invalid request, %s'),
    async (era) => {
      const app = failing(code);
      const read = await ask(app, era, 'resources/read', { uri: 'fail://it' });
      const begun = await ask(app, era, 'prompts/get', { name: 'fail' });
      for (const { error } of [read, begun]) {
        expect([-32603, -32602]).toContain(error?.code);
        expect(error?.message).toContain('No');
      }
      expect(begun.error?.data?.code).toBe(code);
    },
  );
});

it(proves('failure.author', "the framework's own failures keep their channel, also behind middleware"), async () => {
  const pass: Middleware = (_call, next) => next();
  for (const app of [failing('X'), failing('X', [pass])]) {
    expect(facts(await app.call('Lie', {} as never))).toMatchObject({ exit: 70 });
    expect(facts(await app.call('NoSuch' as never, {} as never))).toMatchObject({ exit: 127, mcp: -32602 });
    expect(facts(await app.call('Fail', {} as never))).toMatchObject({ exit: 1, mcp: 'result' });
  }
});
