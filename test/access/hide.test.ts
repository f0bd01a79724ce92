import { createApp, defineResource } from 'everywire';
import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../apps/access.ts';
import { options } from '../apps/hidden.ts';
import { INITIALIZE, legacy, modern, post, type Target } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { sharedServer } from '../kit/broker.ts';
import { command } from '../kit/command.ts';

const APP = 'test/apps/hidden.ts';
let url: string;
beforeAll(async () => void (url = await sharedServer(APP)));

const withKey = (key?: string): Record<string, string> => (key === undefined ? {} : { 'x-api-key': key });
const JSON_TYPE = 'application/json';
const VISIBLE = ['WhoAmI', 'Outer'];
const ALL = ['WhoAmI', 'Read', 'Write', 'Count', 'Upload', 'Download', 'SignedIn', 'Outer', 'Secret'];

async function mcp(method: string, params: Record<string, unknown>, key?: string, target: Target = url) {
  const response = await modern(target, { method, params }, undefined, withKey(key));
  const body = await response.text();
  return { status: response.status, body, message: JSON.parse(body) as { result?: any; error?: any } };
}

describe('lists', () => {
  it(proves('access.hide', 'tools, prompts and resources of MCP'), async () => {
    const listed = async (method: string, field: string, key?: string) => {
      const { message } = await mcp(method, {}, key);
      expect(message.result.cacheScope, method).toBe('private');
      return (message.result[field] as { name: string }[]).map(({ name }) => name.replace('functions.', ''));
    };
    expect(await listed('tools/list', 'tools')).toEqual(VISIBLE);
    expect(await listed('tools/list', 'tools', keys.nobody)).toEqual(['WhoAmI', 'Write', 'SignedIn', 'Outer']);
    expect(await listed('tools/list', 'tools', keys.admin)).toEqual(ALL);
    expect(await listed('prompts/list', 'prompts')).toEqual(['Open']);
    expect(await listed('prompts/list', 'prompts', keys.reader)).toEqual(['Greet', 'Draft', 'Open']);
    expect(await listed('resources/list', 'resources')).toEqual(['open']);
    expect(await listed('resources/list', 'resources', keys.reader)).toEqual(['one', 'open', 'first']);
    expect(await listed('resources/templates/list', 'resourceTemplates')).toEqual([]);
    expect(await listed('resources/templates/list', 'resourceTemplates', keys.reader)).toEqual(['many']);
    expect((await mcp('tools/list', {}, 'wrong')).status).toBe(401);
  });

  it(proves('access.hide', 'the OpenAPI document, for each caller with an ETag of its own'), async () => {
    const document = async (key?: string, headers = {}) =>
      fetch(`${url}/openapi.json`, { headers: { ...withKey(key), ...headers } });
    const [open, full] = [await document(), await document(keys.reader)];
    expect(open.headers.get('cache-control')).toBe('private, no-cache');
    expect(open.headers.get('vary')).toContain('Authorization');
    const text = await open.text();
    for (const name of ['functions.Read', 'Secret', 'SignedIn']) expect(text).not.toContain(name);
    expect(await full.text()).toContain('/secrets/{id}');
    const etag = open.headers.get('etag')!;
    const known = await document(undefined, { 'if-none-match': etag });
    expect(known.status).toBe(304);
    for (const name of ['cache-control', 'vary', 'etag']) expect(known.headers.get(name)).toBe(open.headers.get(name));
    expect((await document(keys.reader, { 'if-none-match': etag })).status).toBe(200);
    expect((await document('wrong')).status).toBe(401);
  });

  it(proves('access.hide', 'resources over HTTP'), async () => {
    const listed = async (key?: string) => (await fetch(`${url}/resources`, { headers: withKey(key) })).text();
    expect(await listed()).not.toMatch(/one:|many/);
    expect(await listed(keys.reader)).toContain('many://{id}');
  });

  it(proves('access.hide', 'help and completion'), async () => {
    const help = async (env = {}) => (await command(['call', APP, '--help'], { env })).stdout;
    expect(await help()).not.toMatch(/^ +(?:read|secret)/m);
    expect(await help({ EVERYWIRE_TOKEN: keys.reader })).toMatch(/read[\s\S]*secret/);
    const offers = async (env = {}) => (await command(['complete', '--', 'call', APP, ''], { env })).stdout;
    expect(await offers()).toMatch(/^who-am-i\t.*\nouter\t/);
    expect(await offers()).not.toContain('secret');
    expect(await offers({ EVERYWIRE_TOKEN: keys.reader })).toContain('secret');
  });
});

describe('what is hidden is answered like what does not exist', () => {
  /** Of the same length. */
  const likeNothing = (name: string) => name.replaceAll(/[a-z]/g, 'z');
  const KEYS = [undefined, keys.nobody, 'wrong', 'not valid'];

  it.each(KEYS)(proves('access.hide', 'over HTTP: %s'), async (key) => {
    const ask = async (method: string, path: string, name: string, type = JSON_TYPE, sent = '{"nonsense":') => {
      const init = { method, headers: { 'content-type': type, ...withKey(key) } };
      const body = method === 'POST' || method === 'PUT' ? { body: sent } : {};
      const response = await fetch(url + path, { ...init, ...body });
      const headers = [...response.headers].filter(([header]) => header !== 'date');
      return JSON.stringify([response.status, headers, await response.text()]).replaceAll(name, 'X');
    };
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const name of ['Read', 'functions.Read', 'functions_Read', 'Secret', 'Upload'])
        expect(await ask(method, `/functions/${name}`, name), name).toBe(
          await ask(method, `/functions/${likeNothing(name)}`, likeNothing(name)),
        );
      expect(await ask(method, '/secrets/1', 'secrets')).toBe(await ask(method, '/nothing/1', 'nothing'));
    }
    for (const type of [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])
      for (const sent of ['--b--', ' '.repeat(2_000_000)]) {
        const [one, other] = [await ask('POST', '/functions/Upload', 'Upload', type, sent), likeNothing('Upload')];
        expect(one, type).toBe(await ask('POST', `/functions/${other}`, other, type, sent));
        const path = await ask('POST', '/secrets/1', 'secrets', type, sent);
        expect(path, type).toBe(await ask('POST', '/nothing/1', 'nothing', type, sent));
      }
    const hidden = await ask('GET', '/resources/note%3A%2F%2Fone', 'note://one');
    expect(hidden).toBe(await ask('GET', '/resources/gone%3A%2F%2Fone', 'gone://one'));
    expect((await fetch(`${url}/healthz`, { headers: withKey(key) })).status).toBe(200);
  });

  it.each(KEYS)(proves('access.hide', 'over MCP: %s'), async (key) => {
    for (const [method, field, hidden, gone] of [
      ['tools/call', 'name', 'functions.Read', 'functions.Gone'],
      ['tools/call', 'name', 'Read', 'Gone'],
      ['prompts/get', 'name', 'Greet', 'Gone'],
      ['resources/read', 'uri', 'note://one', 'gone://one'],
      ['resources/read', 'uri', 'many://1', 'gone://1'],
    ] as const) {
      const [one, other] = [await mcp(method, { [field]: hidden }, key), await mcp(method, { [field]: gone }, key)];
      expect([one.status, one.body.replaceAll(hidden, 'X')]).toEqual([other.status, other.body.replaceAll(gone, 'X')]);
    }
    const complete = async (ref: object) =>
      (await mcp('completion/complete', { ref, argument: { name: 'tone', value: '' } }, key)).body;
    expect(await complete({ type: 'ref/prompt', name: 'Draft' })).toBe(
      await complete({ type: 'ref/prompt', name: 'Gone' }),
    );
  });

  it(proves('access.hide', 'on the command line'), async () => {
    const call = async (name: string, env = {}) => {
      const { stdout, stderr, code } = await command(['call', APP, name, '--id', '1'], { env });
      return JSON.stringify([stdout, stderr, code]).replaceAll(name, 'X');
    };
    expect(await call('Read')).toBe(await call('Gone'));
    expect(await call('Read', { EVERYWIRE_TOKEN: 'wrong' })).toBe(await call('Gone', { EVERYWIRE_TOKEN: 'wrong' }));
    expect(JSON.parse(await call('Read'))).toMatchObject([expect.any(String), expect.any(String), 127]);
    expect(JSON.parse(await call('Read', { EVERYWIRE_TOKEN: keys.reader }))).toEqual(['{"result":"1"}', '', 0]);
  });
});

it(proves('access.hide', 'a page may ask before it calls what is hidden'), async () => {
  const app = createApp({ ...options, cors: { origins: ['https://a.example'] } });
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
  const asked = ['/functions/Read', '/functions/Gone', '/secrets/1', '/gone/1'].map(async (path) => {
    const reply = await app.fetch(new Request(`http://localhost${path}`, { method: 'OPTIONS', headers }));
    return [reply.status, reply.headers.get('access-control-allow-methods')];
  });
  for (const answer of await Promise.all(asked)) expect(answer).toEqual([204, expect.stringContaining('POST')]);
});

it.each([true, false])(proves('access.operations', 'who may not read hears no changes; hide: %s'), async (hide) => {
  const scopes = ({ tenant }: { tenant: string }) => [`tenant:${tenant}`];
  const resource = defineResource({ uri: 'x://{tenant}', name: 'x', description: 'X', scopes, read: () => 'x' });
  const app = createApp({ ...options, resources: [resource], access: { ...options.access, hide } });
  const opened = await post(app, INITIALIZE, withKey(keys.reader));
  const session = opened.headers.get('mcp-session-id')!;
  for (const uri of ['x://other', 'x://second'])
    for (const [method, params] of [
      ['resources/read', { uri }],
      ['subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }],
    ] as const)
      expect((await mcp(method, params, keys.reader, app)).status, method).toBe(403);
  const subscribe = { method: 'resources/subscribe', params: { uri: 'x://other' } };
  expect((await legacy(app, subscribe, session, undefined, withKey(keys.reader))).status).toBe(403);
});

it(proves('access.operations', 'without hide, they need the scopes of what they are about'), async () => {
  const shown = createApp({ ...options, access: { ...options.access, hide: false } });
  const complete = (ref: object, name: string, key?: string) =>
    mcp('completion/complete', { ref, argument: { name, value: '' } }, key, shown);
  const draft = { type: 'ref/prompt', name: 'Draft' };
  const many = { type: 'ref/resource', uri: 'many://{id}' };
  expect((await complete(draft, 'tone')).status).toBe(401);
  expect((await complete(many, 'id', keys.nobody)).status).toBe(403);
  expect((await complete(many, 'id', keys.reader)).message.result.completion.values).toEqual(['1', '2']);
  expect((await complete(draft, 'tone', keys.reader)).message.result.completion.values).toEqual(['kind', 'short']);
  expect((await complete({ type: 'ref/prompt', name: 'Open' }, 'x')).status).toBe(200);
  const listen = (uri: string, key?: string) =>
    mcp('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }, key, shown);
  expect((await listen('note://one')).status).toBe(401);
  expect((await listen('many://1', keys.nobody)).status).toBe(403);
  const { message } = await mcp('resources/list', {}, undefined, shown);
  expect(message.result.resources.map(({ name }: { name: string }) => name)).toEqual(['one', 'open']);
  expect(message.result.cacheScope).toBe('public');
});
