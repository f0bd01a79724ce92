import { createApp } from 'everywire';
import { afterEach, expect, it, vi } from 'vitest';
import { keys, options } from '../apps/access.ts';
import { ASKABLE, modern, only, tool } from '../mcp/mcp-post.ts';
import { boolean, fn, object, string } from '../kit/functions.ts';
import { proves } from '../promises.ts';

const parts = { scopes: 'public', input: object({ what: string, why: string }), output: string } as const;
const confirm = (name: string) =>
  fn(name, parts, async ({ what }, context) => {
    await context.ask(object({ yes: boolean }, []), 'Really?');
    return `${what} for ${context.principal.id}`;
  });
const app = createApp({ ...options, functions: [confirm('Delete'), confirm('Create')], resources: [], prompts: [] });

afterEach(() => void vi.useRealTimers());

async function call(key: string | undefined, name: string, what: string, more: object = {}) {
  const headers = key === undefined ? undefined : { 'x-api-key': key };
  const response = await modern(app, tool(name, { what, why: '' }, { _meta: ASKABLE, ...more }), undefined, headers);
  return { status: response.status, ...((await only(response)) as { result?: any; error?: any }) };
}

const inputResponses = { question1: { action: 'accept', content: { yes: true } } };
const INVALID = { code: -32602, message: 'Invalid or expired requestState' };

it(proves('access.request-state', 'answers count for the same principal, function and arguments only'), async () => {
  const { result: asked } = await call(keys.reader, 'Delete', 'all');
  expect(asked).toMatchObject({ resultType: 'input_required' });
  const again = { inputResponses, requestState: asked.requestState as string };
  for (const [key, name, what] of [
    [keys.admin, 'Delete', 'all'],
    [keys.nobody, 'Delete', 'all'],
    [undefined, 'Delete', 'all'],
    [keys.reader, 'Create', 'all'],
    [keys.reader, 'Delete', 'one'],
  ] as const)
    expect((await call(key, name, what, again)).error, `${key} ${name} ${what}`).toMatchObject(INVALID);
  // Its other name, with the arguments in another order, is the same call.
  const other = { ...again, name: 'functions_Delete', arguments: { why: '', what: 'all' } };
  for (const more of [again, other]) {
    const { result } = await call(keys.reader, 'Delete', 'all', more);
    expect(result).toMatchObject({ structuredContent: { result: 'all for reader' } });
  }
});

it(proves('access.request-state', 'a credential that is not valid is refused as such'), async () => {
  const { result: asked } = await call(keys.reader, 'Delete', 'all');
  const again = { inputResponses, requestState: asked.requestState as string };
  expect(await call('wrong', 'Delete', 'all', again)).toMatchObject({
    status: 401,
    error: { data: { code: 'UNAUTHENTICATED' } },
  });
});

it(proves('access.request-state', 'what was anonymous does not become the answer of somebody'), async () => {
  const { result: asked } = await call(undefined, 'Delete', 'all');
  const again = { inputResponses, requestState: asked.requestState as string };
  expect((await call(keys.reader, 'Delete', 'all', again)).error).toMatchObject(INVALID);
  const { result } = await call(undefined, 'Delete', 'all', again);
  expect(result).toMatchObject({ structuredContent: { result: 'all for anonymous' } });
});

it(proves('access.request-state', 'it expires after ten minutes, and cannot be changed'), async () => {
  const { result: asked } = await call(keys.reader, 'Delete', 'all');
  const requestState = asked.requestState as string;
  const middle = Math.floor(requestState.length / 2);
  const changed =
    requestState.slice(0, middle) + (requestState[middle] === 'A' ? 'B' : 'A') + requestState.slice(middle + 1);
  const replayed = (state: string) => call(keys.reader, 'Delete', 'all', { inputResponses, requestState: state });
  expect((await replayed(changed)).error).toMatchObject(INVALID);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  expect((await replayed(requestState)).error).toMatchObject(INVALID);
});
