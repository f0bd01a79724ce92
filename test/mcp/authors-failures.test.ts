import { expect, it } from 'vitest';
import { wireFactsOf } from '../../src/core/failure.ts';
import { Failure, codes, createApp, defineFunction, definePrompt, defineResource } from '../../src/index.ts';
import type { Middleware, Outcome } from '../../src/index.ts';
import { failure } from '../../src/responses.ts';
import { silent } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { legacy, modern, only } from './mcp-post.ts';

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
