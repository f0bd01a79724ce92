import { createApp, defineResource } from 'everywire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Subscriptions } from '../../src/wires/mcp/sdk/subscriptions.ts';
import { asJson } from '../kit/as-json.ts';
import { fn } from '../kit/functions.ts';
import { expectLinear } from '../kit/linear.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

describe('the addresses of resources', () => {
  /** Matches an address with a template, through an app. */
  function reader(template: string): (uri: string) => Readonly<Record<string, string>> | undefined {
    const resource = defineResource({ uri: template, name: 'Any', description: 'Any.', read: () => '' });
    const { resources } = createApp({ name: 'T', version: '1', functions: [], resources: [resource] });
    return (uri) => resources.locate(uri)?.variables;
  }

  /** The same with a regular expression: slow on long addresses, but obviously correct. */
  function slowReader(template: string): (uri: string) => Readonly<Record<string, string>> | undefined {
    const parts = template.split(/\{(\w+)\}/);
    const pattern = parts.map((part, i) => (i % 2 ? '([^/?#]+)' : part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')));
    const expression = new RegExp(`^${pattern.join('')}$`, 'u');
    return (uri) => {
      const found = expression.exec(uri);
      if (!found) return undefined;
      try {
        const names = parts.filter((_, i) => i % 2);
        return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1]!)]));
      } catch {
        return undefined;
      }
    };
  }

  it.each<[template: string, uri: string, variables: object | undefined]>([
    ['notes://today', 'notes://today', {}],
    ['notes://today', 'notes://today!', undefined],
    ['notes://{year}/{id}', 'notes://2026/1', { year: '2026', id: '1' }],
    ['notes://{year}/{id}', 'notes://2026/', undefined],
    ['notes://{year}/{id}', 'notes://2026/1/2', undefined],
    ['files://{name}.{ext}', 'files://a.b.c', { name: 'a.b', ext: 'c' }],
    ['files://{name}.{ext}', 'files://.c', undefined],
    ['files://{name}.{ext}', 'files://a%2Fb.c', { name: 'a/b', ext: 'c' }],
    ['files://{name}.{ext}', 'files://a%.c', undefined],
    ['x:{a}{b}{c}', 'x:abcd', { a: 'ab', b: 'c', c: 'd' }],
    ['x:{a}{b}', 'x:😀😀', { a: '😀', b: '😀' }],
    ['x:{a}{b}', 'x:a', undefined],
    ['x:ab{v}ab', 'x:ab', undefined],
    ['x:ab{v}ab', 'x:abab', undefined],
    ['x:ab{v}ab', 'x:abcab', { v: 'c' }],
    ['x:{a}?q={b}#{c}', 'x:1?q=2#3', { a: '1', b: '2', c: '3' }],
  ])(proves('mcp.resources', '%s matches %s'), (template, uri, variables) => {
    expect(reader(template)(uri)).toEqual(variables);
    expect(slowReader(template)(uri)).toEqual(variables);
  });

  it(proves('mcp.resources', 'matches addresses like a regular expression'), () => {
    const literal = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '-', '?'), maxLength: 3 });
    const variable = fc.constantFrom('{x}', '{y}', '{z}', '{v}');
    const template = fc
      .array(fc.oneof(literal, variable), { maxLength: 7 })
      .filter((parts) => parts.every((part, i) => !part.startsWith('{') || parts.indexOf(part) === i))
      .map((parts) => `s:${parts.join('')}`);
    const uri = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '-', '?', '😀', '%41'), maxLength: 14 });
    let found = 0;
    fc.assert(
      fc.property(template, uri, fc.array(uri, { minLength: 4, maxLength: 4 }), (text, any, values) => {
        const filled = text.replaceAll(/\{\w\}/g, () => values.pop()!);
        const [read, readSlowly] = [reader(text), slowReader(text)];
        for (const address of [`s:${any}`, filled]) {
          const expected = readSlowly(address);
          if (expected && Object.keys(expected).length > 0) found++;
          expect(read(address)).toEqual(expected);
        }
      }),
      { numRuns: size(400, 3000) },
    );
    expect(found).toBeGreaterThan(size(40, 300));
  });

  const hostile: Readonly<Record<string, readonly [template: string, unit: string]>> = {
    'two variables around a dot': ['files://{name}.{ext}', '.'],
    'three variables, two of them empty': ['files://{a}.{b}.{c}', '.'],
    'seven variables side by side': ['x:{a}{b}{c}{d}{e}{f}{g}/', 'a'],
    'literals that nearly match': ['x:{a}aab{b}aab{c}aab{d}', 'a'],
    'variables across slashes': ['x:{a}/{b}/{c}/{d}', 'a/'],
    emoji: ['x:{a}-{b}-{c}!', '😀-'],
  };

  for (const [title, [template, unit]] of Object.entries(hostile)) {
    it(proves('mcp.resources', `matches a malicious address in linear time: ${title}`), () => {
      const read = reader(template);
      return expectLinear((length) => {
        const uris = ['', '/', '\n', '#', '.b'].map(
          (end) => template.split('{')[0]! + unit.repeat(length / unit.length) + end,
        );
        return () => uris.map(read);
      }, 1000);
    });
  }

  it(proves('mcp.resources', 'rejects an address of more than 8 KiB, and does not echo it'), async () => {
    const resources = [defineResource({ uri: 'x:{a}', name: 'X', description: 'X.', read: ({ a }) => a })];
    const app = createApp({ name: 'T', version: '1', functions: [], resources });
    const get = (uri: string) => app.fetch(new Request(`http://localhost/resources/${encodeURIComponent(uri)}`));
    const longest = `x:${'a'.repeat(8190)}`;
    expect(await (await get(longest)).text()).toHaveLength(8190);
    const refused = await get(`${longest}a`);
    const message = 'The address is longer than 8192 characters';
    expect([refused.status, await refused.text()]).toEqual([400, JSON.stringify({ error: message })]);
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: `${longest}a` } };
    const init = asJson(read, { accept: 'application/json, text/event-stream' });
    const response = await app.fetch(new Request('http://localhost/mcp', init));
    expect(await response.json()).toMatchObject({ error: { message, data: { code: 'BAD_REQUEST' } } });
  });
});

it(proves('failure.overload', 'functions, resources and prompts have one limit of calls at once'), async () => {
  const resources = [defineResource({ uri: 'x:1', name: 'X', description: 'X.', read: () => 'x' })];
  const functions = [fn('F', {}, () => new Promise(() => {}))];
  const full = createApp({ name: 'T', version: '1', functions, resources, limits: { concurrent: 1, queued: 0 } });
  void full.call('F');
  const refused = { outcome: { error: { code: 'UNAVAILABLE' } } };
  const { fn: resource } = full.resources.locate('x:1')!.resource;
  expect(await full.resources.respond({ name: 'x:1', fn: resource, input: {} })).toMatchObject(refused);
  expect(await full.operations.respond({ name: 'resources/list', input: {} })).toMatchObject(refused);
  expect(await full.operations.respond({ name: 'tasks/list', input: {} })).not.toMatchObject(refused);
});

const app = createApp({ name: 'Notes', version: '1.0.0', functions: [] });

/** Subscriptions that other processes share, and how to let each reading of them end. */
function shared(stored: readonly string[]) {
  const readings: (() => void)[] = [];
  const subscriptions = new Subscriptions(app as never, {
    add: async () => true,
    delete: async () => {},
    read: () => new Promise((resolve) => readings.push(() => resolve(stored))),
  });
  return { subscriptions, readings };
}

it('what changes while shared subscriptions are read is not lost', async () => {
  const { subscriptions, readings } = shared(['note://1', 'note://2']);
  const listening = subscriptions.listen();
  subscriptions.note('note://3', true);
  subscriptions.note('note://1', false);
  readings[0]!();
  await listening;
  const kept = ['note://1', 'note://2', 'note://3'].filter((uri) => subscriptions.has(uri));
  expect(kept).toEqual(['note://2', 'note://3']);
});

it('nor if they are read twice at once', async () => {
  const { subscriptions, readings } = shared([]);
  const first = subscriptions.listen();
  const second = subscriptions.listen();
  readings[0]!();
  await first;
  subscriptions.note('note://1', true);
  readings[1]!();
  await second;
  expect(subscriptions.has('note://1')).toBe(true);
});
