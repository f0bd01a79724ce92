import { createApp, definePrompt, defineResource, Failure, type App, type AppOptions } from 'everywire';
import { describe, expect, it } from 'vitest';
import { fn, object, silent, string } from '../kit/functions.ts';
import { throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';
import { begin, legacy, modern, only, tool } from './mcp-post.ts';

const CYCLE: unknown[] = [];
CYCLE.push(CYCLE);

interface Callbacks {
  readonly list?: () => unknown;
  readonly complete?: () => unknown;
}

function appOf({ list, complete }: Callbacks, options: Partial<AppOptions> = {}) {
  const logged: { message: string; fields: Record<string, unknown> }[] = [];
  const log = (message: string, fields: object = {}) => void logged.push({ message, fields: { ...fields } });
  const app = createApp({
    name: 'Callbacks',
    version: '1',
    functions: [fn('F', { output: string }, () => 'x')],
    resources: [
      defineResource({
        uri: 'notes://{id}',
        name: 'note',
        description: 'd',
        ...(list && { list: list as () => [] }),
        ...(complete && { complete: { id: complete as () => [] } }),
        read: () => 'text',
      }),
      defineResource({ uri: 'notes://all/of', name: 'all', description: 'd', read: () => 'text' }),
    ],
    prompts: [
      definePrompt({
        name: 'p',
        description: 'd',
        input: object({ word: string, choice: { ...string, enum: ['yes', 'no'] } }, []),
        ...(complete && { complete: { word: complete as () => [] } }),
        run: () => 'text',
      }),
    ],
    log: { debug: log, info: log, warn: log, error: log },
    ...options,
  });
  return { app, logged };
}

const completion = (ref: object, name: string, value = '') => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value } },
});
const RESOURCE = { type: 'ref/resource', uri: 'notes://{id}' };
const PROMPT = { type: 'ref/prompt', name: 'p' };

const REACHED = [
  ['list', { method: 'resources/list' }],
  ['complete', completion(RESOURCE, 'id')],
  ['complete', completion(PROMPT, 'word')],
] as const;

type Ask = (app: App, asked: { readonly method: string; readonly params?: any }) => Promise<Response>;
const ROADS: readonly (readonly [string, Ask])[] = [
  ['modern', (app, asked) => modern(app, asked)],
  ['legacy', (app, asked) => legacy(app, asked)],
  ['in a session', async (app, asked) => legacy(app, asked, await begin(app))],
];

describe.each(ROADS)('list and complete callbacks, %s', (_road, ask) => {
  it.each(REACHED)(proves('mcp.callbacks', 'a Failure in %s is sent unchanged'), async (which, asked) => {
    const later = new Failure('RATE_LIMITED', 'Later');
    for (const misbehaves of [() => later, throwing(later)]) {
      const { app } = appOf({ [which]: misbehaves }, { errors: 'masked' });
      expect((await only(ask(app, asked))).error).toMatchObject({ message: 'Later', data: { code: 'RATE_LIMITED' } });
    }
  });

  it(proves('mcp.callbacks', "names from a client are looked up only among the author's definitions"), async () => {
    const { app } = appOf({ complete: () => ['abc', 'ABD', 'x'] });
    for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', 'nothing'])
      for (const ref of [RESOURCE, PROMPT])
        expect((await only(ask(app, completion(ref, word)))).result.completion).toMatchObject({ values: [], total: 0 });
    const values = async (ref: object, name: string, typed: string) =>
      (await only(ask(app, completion(ref, name, typed)))).result.completion.values;
    expect(await values(RESOURCE, 'id', 'ab')).toEqual(['abc', 'ABD']);
    expect(await values(PROMPT, 'word', 'AB')).toEqual(['abc', 'ABD']);
    expect(await values(PROMPT, 'choice', 'y')).toEqual(['yes']);
  });
});

describe('middleware', () => {
  const denied: { kind: string; operationId: string }[] = [];
  const deny: NonNullable<AppOptions['middleware']> = [
    ({ function: { kind }, context }) => {
      denied.push({ kind, operationId: context.operationId });
      return { ok: false, error: { code: 'FORBIDDEN', message: 'Nobody may', retry: false } };
    },
  ];
  const reached: string[] = [];
  const note = (what: string) => () => void reached.push(what);
  const denying = () => {
    denied.length = reached.length = 0;
    const { app } = appOf({ list: note('list'), complete: note('complete') }, { middleware: deny });
    return app;
  };

  it.each(ROADS)(proves('middleware.everything', 'that denies everything blocks MCP, %s'), async (_road, ask) => {
    const app = denying();
    for (const [asked, kind, operationId] of [
      [{ method: 'resources/read', params: { uri: 'notes://1' } }, 'resource', 'resources.note'],
      [{ method: 'resources/list' }, 'list', 'resources/list'],
      [{ method: 'resources/templates/list' }, 'list', 'resources/list'],
      [{ method: 'prompts/get', params: { name: 'p', arguments: {} } }, 'prompt', 'prompts.p'],
      [completion(RESOURCE, 'id'), 'completion', 'completion/complete'],
      [completion(PROMPT, 'choice'), 'completion', 'completion/complete'],
    ] as const) {
      const { error } = await only(ask(app, asked));
      expect(error, asked.method).toMatchObject({ message: 'Nobody may', data: { code: 'FORBIDDEN' } });
      expect(denied.at(-1)).toEqual({ kind, operationId });
    }
    const { result } = await only(ask(app, tool('F')));
    expect(result).toMatchObject({ isError: true });
    expect(denied.at(-1)).toEqual({ kind: 'function', operationId: 'functions.F' });
    expect([denied.length, reached]).toEqual([7, []]);
  });

  it(proves('middleware.everything', 'that denies everything blocks subscriptions'), async () => {
    const app = denying();
    const params = { notifications: { resourceSubscriptions: ['notes://1'] } };
    for (const response of [
      await legacy(app, { method: 'resources/subscribe', params: { uri: 'notes://1' } }, await begin(app)),
      await modern(app, { method: 'subscriptions/listen', params }),
    ])
      expect((await only(response)).error).toMatchObject({ message: 'Nobody may', data: { code: 'FORBIDDEN' } });
    expect(denied).toEqual([1, 2].map(() => ({ kind: 'subscription', operationId: 'resources/subscribe' })));
  });

  it(proves('middleware.everything', 'that denies everything blocks resources over HTTP'), async () => {
    const app = denying();
    for (const path of ['/resources', '/resources/notes%3A%2F%2F1']) {
      const response = await app.fetch(new Request(`http://localhost${path}`));
      expect([response.status, await response.text()]).toEqual([403, '{"error":"Nobody may"}']);
    }
    expect([denied.map(({ kind }) => kind), reached]).toEqual([['list', 'resource'], []]);
  });

  it(proves('middleware.everything', 'that passes everything on changes nothing'), async () => {
    const callbacks = { list: () => [{ uri: 'notes://1', name: 'one', size: 5 }], complete: () => ['a'] };
    const plain = appOf(callbacks).app;
    const around = appOf(callbacks, { middleware: [(_call, next) => next()] }).app;
    for (const asked of [
      { method: 'resources/list' },
      { method: 'resources/read', params: { uri: 'notes://1' } },
      { method: 'prompts/get', params: { name: 'p', arguments: {} } },
      completion(RESOURCE, 'id'),
    ]) {
      const [one, other] = [await only(modern(plain, asked)), await only(modern(around, asked))];
      expect(one.error).toBeUndefined();
      expect(other).toEqual(one);
    }
  });

  it(proves('middleware.everything', 'can hide a resource from the list'), async () => {
    const hide: NonNullable<AppOptions['middleware']>[number] = async ({ function: { kind } }, next) => {
      const outcome = await next();
      if (kind !== 'list' || !outcome.ok) return outcome;
      return { ...outcome, data: (outcome.data as { name: string }[]).filter(({ name }) => name !== 'all') };
    };
    const { app } = appOf({ list: () => [{ uri: 'notes://1', name: 'one' }] }, { middleware: [hide] });
    expect((await only(modern(app, { method: 'resources/list' }))).result.resources).toEqual([
      { uri: 'notes://1', name: 'one' },
    ]);
  });
});

describe('the content of a resource', () => {
  const read = async (value: unknown) => {
    const app = createApp({
      name: 'Holds',
      version: '1',
      functions: [],
      errors: 'shown',
      log: silent,
      resources: [defineResource({ uri: 'r://x', name: 'x', description: 'd', read: () => value as object })],
    });
    const http = await app.fetch(new Request('http://localhost/resources/r%3A%2F%2Fx'));
    return {
      http: { status: http.status, code: http.headers.get('everywire-error-code'), body: await http.text() },
      mcp: await only(modern(app, { method: 'resources/read', params: { uri: 'r://x' } })),
    };
  };

  it.each([
    ['NaN', { a: NaN }],
    ['a Map', new Map([[1, 2]])],
    ['undefined in an array', [undefined]],
    ['undefined', undefined],
    ['a function', { f: () => 1 }.f],
    ['a circle', CYCLE],
    ['an invalid date', { at: new Date(NaN) }],
    ['a symbol', { s: Symbol('x') }],
  ])(proves('mcp.callbacks', '%s is INVALID_OUTPUT, never null'), async (_title, value) => {
    const { http, mcp } = await read(value);
    expect(http).toMatchObject({ status: 500, code: 'INVALID_OUTPUT' });
    expect(mcp.error).toMatchObject({ code: -32603, data: { code: 'INVALID_OUTPUT' } });
  });

  it.each([
    ['a bigint', { n: 5n }, '{"n":"5"}'],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['null', null, 'null'],
    ['a number', 5, '5'],
    ['an absent field', { a: undefined, b: 1 }, '{"b":1}'],
  ])(proves('mcp.callbacks', '%s is sent in its wire form'), async (_title, value, text) => {
    const { http, mcp } = await read(value);
    expect([http.status, http.body]).toEqual([200, text]);
    expect(mcp.result.contents).toMatchObject([{ text, mimeType: 'application/json' }]);
  });
});
