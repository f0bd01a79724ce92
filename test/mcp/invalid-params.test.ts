import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/index.ts';
import type { AppOptions } from '../../src/index.ts';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import { options } from '../apps/messages.ts';
import { proves } from '../promises.ts';
import { INITIALIZE, META, legacy, modern, only } from './mcp-post.ts';

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
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { ended } = serveMcpStdio(app, input, output, {});
  const message = { jsonrpc: '2.0', id: 1, method, params: era === 'modern' ? { ...params, _meta: META } : params };
  const opening = era === 'legacy' && method !== 'initialize' ? [INITIALIZE] : [];
  input.end([...opening, message].map((one) => `${JSON.stringify(one)}\n`).join(''));
  await ended;
  const text = (await output.toArray()).map(String).join('');
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Reply).find(({ id }) => id === 1)!;
}

const NONSENSE = { cursor: {}, uri: 5, name: 'x', arguments: 7, ref: [], level: 'x', argument: null };
const CURSOR = 'cursor: expected string, received number';
const FIVE = [...'abcde'].map((name) => `arguments.${name}: expected string, received number`).join('; ');
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

  it.each(['legacy', 'modern'] as const)(
    proves('mcp.answers', 'are never an internal error or long, %s'),
    async (era) => {
      const methods = ['tools/list', 'resources/list', 'resources/read', 'prompts/list', 'prompts/get'];
      for (const method of [...methods, 'completion/complete', 'resources/subscribe', 'logging/setLevel', 'initialize'])
        for (const params of [{}, NONSENSE]) {
          const { error } = await send(era, method, params);
          expect(error?.code, method).not.toBe(-32603);
          expect(error?.message ?? '', method).not.toContain('\n');
        }
    },
  );
});
