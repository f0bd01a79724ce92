import { describe, expect, it } from 'vitest';
import { wireFactsOf } from '../../src/core/failure.ts';
import { codes, createApp, defineFunction, definePrompt, defineResource, Failure } from '../../src/index.ts';
import type { AppOptions, Middleware, Outcome } from '../../src/index.ts';
import { failure } from '../../src/responses.ts';
import { silent } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { INITIALIZE, legacy, META, modern, only } from './mcp-post.ts';
import { options } from '../apps/messages.ts';
import { openStdio } from '../wires/stdio.ts';

const output = { type: 'integer', description: 'One' } as const;

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
      defineFunction({ name: 'Fine', description: 'Does not', output, run: () => 1 }),
      defineFunction({ name: 'Lie', description: 'Lies', output, run: () => 'x' as never }),
    ],
    resources: [
      defineResource({ name: 'fail', uri: 'fail://it', description: 'Fails', read: () => new Failure(code, 'No') }),
    ],
    prompts: [definePrompt({ name: 'fail', description: 'Fails', run: () => new Failure(code, 'No') })],
  });
}

const facts = (outcome: Outcome) => (outcome.ok ? undefined : wireFactsOf(outcome));

it.each(Object.keys(codes))(proves('failure.author', '%s, raised by an author, keeps its channel'), async (code) => {
  const tool = { method: 'tools/call', params: { name: 'functions.Fine', arguments: {} } };
  const denying = failing('X', [() => failure(code, 'No')]);
  for (const send of [modern, legacy])
    expect((await only(send(denying, tool))).result).toMatchObject({ isError: true });
  // Elsewhere it is never an invalid request.
  const app = failing(code);
  const read = await only(modern(app, { method: 'resources/read', params: { uri: 'fail://it' } }));
  const begun = await only(modern(app, { method: 'prompts/get', params: { name: 'fail' } }));
  for (const { error } of [read, begun]) {
    expect([-32603, -32602]).toContain(error.code);
    expect(error.message).toContain('No');
  }
  expect(begun.error.data.code).toBe(code);
});

it(proves('failure.author', "the framework's own failures keep their channel, also behind middleware"), async () => {
  const pass: Middleware = (_call, next) => next();
  for (const app of [failing('X'), failing('X', [pass])]) {
    expect(facts(await app.call('Lie', {} as never))).toMatchObject({ exit: 70 });
    expect(facts(await app.call('NoSuch' as never, {} as never))).toMatchObject({ exit: 127, mcp: -32602 });
    expect(facts(await app.call('Fail', {} as never))).toMatchObject({ exit: 1, mcp: 'result' });
  }
});

const app = createApp(options as unknown as AppOptions);

type Params = Readonly<Record<string, unknown>>;
type Era = 'legacy' | 'modern';
interface Reply {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const overHttp = async (era: Era, method: string, params: Params): Promise<Reply> =>
  only((era === 'modern' ? modern : legacy)(app, { method, params }));

async function onStdio(era: Era, method: string, params: Params): Promise<Reply> {
  const session = openStdio(app as never);
  const replies: Reply[] = [];
  session.onLine((line) => replies.push(JSON.parse(line) as Reply));
  const message = { jsonrpc: '2.0', id: 1, method, params: era === 'modern' ? { ...params, _meta: META } : params };
  const opening = era === 'legacy' && method !== 'initialize' ? [INITIALIZE] : [];
  for (const one of [...opening, message]) session.write(JSON.stringify(one));
  await session.close();
  return replies.find(({ id }) => id === 1)!;
}

const NONSENSE = { cursor: {}, uri: 5, name: 'x', arguments: 7, ref: [], level: 'x', argument: null };
const CURSOR = 'cursor: expected string, received number';
const FIVE = ['a', 'b', 'c', 'd', 'e'].map((name) => `arguments.${name}: expected string, received number`).join('; ');
const prompt = (given: object) => ({ name: 'x', arguments: given });

describe.each([
  ['HTTP', overHttp],
  ['stdio', onStdio],
] as const)('invalid params over %s', (_wire, send) => {
  it.each<[Era, string, Params, string]>([
    ['legacy', 'initialize', {}, 'protocolVersion is missing; capabilities is missing; clientInfo is missing'],
    ['legacy', 'tools/list', { cursor: 5 }, CURSOR],
    ['modern', 'tools/list', { cursor: 5 }, CURSOR],
    ['legacy', 'tools/call', { arguments: {} }, 'name is missing'],
    ['legacy', 'prompts/get', prompt({ a: { b: 1 } }), 'arguments.a: expected string, received object'],
    ['modern', 'prompts/get', prompt({ a: { b: 1 } }), 'arguments.a: expected string, received object'],
    ['legacy', 'prompts/get', prompt({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }), `${FIVE}; and 2 more`],
  ])(proves('mcp.answers', 'are -32602 with one sentence, %s: %s %j'), async (era, method, params, message) => {
    expect((await send(era, method, params)).error).toEqual({ code: -32602, message: `Invalid params: ${message}` });
  });

  it.each(['legacy', 'modern'] as const)(proves('mcp.answers', 'are never internal, or long: %s'), async (era) => {
    const methods = ['tools/list', 'resources/list', 'resources/read', 'prompts/list', 'prompts/get'];
    for (const method of [...methods, 'completion/complete', 'resources/subscribe', 'logging/setLevel', 'initialize'])
      for (const params of [{}, NONSENSE]) {
        const { error } = await send(era, method, params);
        expect(error?.code, method).not.toBe(-32603);
        expect(error?.message ?? '', method).not.toContain('\n');
      }
  });
});
