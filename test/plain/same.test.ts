import { loadApp } from 'everywire/node';
import type { App } from 'everywire';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareWires } from '../../src/proof/parity.ts';
import { createEnvironment } from '../../src/env/environment.ts';
import { proves } from '../promises.ts';

const OTHERS = ['zod', 'json-schema'];

describe(proves('plain.same', 'the same calculator, as plain types and with schemas'), () => {
  const apps = new Map<string, App>();
  beforeAll(async () => {
    for (const name of ['calculator', ...OTHERS]) apps.set(name, await loadApp(`test/plain/calculators/${name}.ts`));
  });

  const documents = async (name: string) => {
    const get = async (target: string, init?: RequestInit) =>
      (await apps.get(name)!.fetch(new Request(`http://localhost${target}`, init))).text();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    return [
      ...(await Promise.all(['', '?version=3.0', '?profiles=all'].map((query) => get(`/openapi.json${query}`)))),
      await get('/mcp', { method: 'POST', headers, body }),
    ];
  };

  it.each(OTHERS)('has the same documents and tools as with %s, byte for byte', async (name) => {
    const plain = await documents('calculator');
    for (const one of plain) expect(one).toContain('functions.Statistics');
    expect(await documents(name)).toEqual(plain);
  });

  it('answers generated calls with the same bodies', async () => {
    const wires = [...apps].map(([name, app]) => ({
      name,
      async call({ function: fn, input }: { function: string; input: unknown }) {
        const call = { name: fn, input, environment: createEnvironment({}) };
        const { body, outcome } = await app.respond(call as never, app.profile);
        return { body, code: outcome.ok ? undefined : outcome.error.code };
      },
      close: async () => {},
    }));
    const functions = apps.get('calculator')!.functions as never;
    const found = await compareWires({ functions, wires, calls: 200, costlyCalls: 0, seed: 18 });
    expect([found.differences, found.unsteady]).toEqual([[], []]);
    for (const count of [found.successes, found.calls - found.successes]) expect(count).toBeGreaterThan(40);
  });
});
