import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { App } from 'everywire';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modern, legacy, messagesIn, only, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { cgi, command } from '../kit/command.ts';
import { parseCgi } from '../wires/cgi.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import type { RedisServer } from '../kit/redis.ts';

const CALLS = 4;

/** Seconds to wait differ by the time that the tests take. */
const anySeconds = (text: string) => text.replace(/\d+ seconds/, 'n seconds');
const REFUSED = '{"error":"Too many calls; try again in n seconds"}';
const seconds = (hint: unknown) => Number(hint) > 80_000 && Number(hint) <= 86_400 && Number.isInteger(Number(hint));

describe.runIf(hasRedis)('with Redis, on every wire', () => {
  let redis: RedisServer;
  let served: Served;
  let module: string;
  let client: Client;

  beforeAll(async () => {
    redis = await startRedis();
    const folder = temporaryFolder('rates');
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    module = join(folder, 'app.mjs');
    writeFileSync(
      module,
      `import { createApp, defineFunction, defineResource } from 'everywire';
      export default createApp({
        name: 'Rates', version: '1.0.0', store: ${JSON.stringify(redis.url)},
        functions: [defineFunction({ name: 'Ping', description: 'Answers', run: () => {} })],
        resources: [defineResource({ uri: 'n:1', name: 'Note', description: 'A note', read: () => 'x' })],
        limits: { rate: { per: 'app', calls: ${CALLS}, seconds: 86_400 } },
      });`,
    );
    served = await startServing(module);
    client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: ['dist/bin/everywire.js', 'mcp', module] }),
    );
  });
  afterAll(async () => {
    await client.close();
    await served.stop();
    await redis.stop();
  });

  /** Calls once, and returns the body. A refusal must have the hint that the wire has for it. */
  const wires: Record<string, () => Promise<string>> = {
    async process() {
      const { default: app } = (await import(/* @vite-ignore */ module)) as { default: App };
      const { outcome, body } = await app.respond({ name: 'Ping' }, 'plain');
      if (!outcome.ok) expect(outcome.error.retryAfter).toSatisfy(seconds);
      await app.close();
      return body;
    },
    async http() {
      const response = await fetch(`${served.url}/functions/Ping`, { method: 'POST' });
      const { status, headers } = response;
      if (status !== 200) {
        expect([status, headers.get('everywire-error-code')]).toEqual([429, 'RATE_LIMITED']);
        expect(headers.get('retry-after')).toSatisfy(seconds);
      }
      return response.text();
    },
    'mcp over http, fast path': async () => toolBody(await modern(served.url, CALL)),
    'mcp over http, SDK': async () =>
      toolBody(await modern(served.url, tool('Ping', {}, { _meta: { progressToken: 1 } }))),
    'mcp over http, 2025': async () => toolBody(await legacy(served.url, CALL)),
    'mcp over stdio': async () => resultBody((await client.callTool({ name: 'functions.Ping' })) as never),
    async cli() {
      const { stdout, stderr, code } = await command(['call', module, 'Ping', '--json']);
      if (code !== 0) {
        expect(code).toBe(75);
        expect(anySeconds(stderr)).toContain('Too many calls; try again in n seconds (RATE_LIMITED)');
      }
      return stdout;
    },
    async cgi() {
      const request = { REQUEST_METHOD: 'POST', PATH_INFO: '/functions/Ping', CONTENT_LENGTH: '0' };
      const { stdout } = await cgi(module, request);
      const { status, headers, body } = parseCgi(stdout);
      if (status !== 200) {
        expect([status, headers['everywire-error-code']]).toEqual([429, 'RATE_LIMITED']);
        expect(headers['retry-after']).toSatisfy(seconds);
      }
      return body;
    },
  };
  const CALL = tool('Ping');

  interface Result {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly _meta?: { readonly 'everywire/error'?: object };
  }

  async function toolBody(response: Response): Promise<string> {
    expect(response.status).toBe(200);
    const { result } = (await messagesIn(response)).at(-1) as { result: Result };
    return resultBody(result);
  }

  function resultBody({ isError, content, _meta }: Result): string {
    if (isError)
      expect(_meta?.['everywire/error']).toEqual({
        code: 'RATE_LIMITED',
        details: { per: 'app', calls: CALLS, seconds: 86_400 },
        retry: true,
        retryAfter: expect.toSatisfy(seconds) as number,
      });
    return content[0]!.text;
  }

  it(proves('rate.every-wire', 'calls count together, and are refused with the same hint'), async () => {
    const bodies: string[] = [];
    // Twice: each wire is refused once at least.
    for (const call of [...Object.values(wires), ...Object.values(wires)]) bodies.push(anySeconds(await call()));
    expect(bodies).toEqual(bodies.map((_, i) => (i < CALLS ? '{}' : REFUSED)));
    expect(bodies.length).toBeGreaterThanOrEqual(2 * CALLS + Object.keys(wires).length - CALLS);
  });

  it(proves('rate.every-wire', 'resources too'), async () => {
    const read = await fetch(`${served.url}/resources?uri=n:1`);
    expect([read.status, anySeconds(await read.text())]).toEqual([429, REFUSED]);
    const message = await only(modern(served.url, { method: 'resources/read', params: { uri: 'n:1' } }));
    expect(message.error.data).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.toSatisfy(seconds) as number });
  });

  it(proves('openapi.document', 'a limit is in the document'), async () => {
    const { paths } = (await (await fetch(`${served.url}/openapi.json`)).json()) as { paths: Record<string, any> };
    expect(paths['/functions/Ping'].post.responses[429]).toEqual({ $ref: '#/components/responses/RateLimited' });
  });
});
