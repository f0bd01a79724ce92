import { inspect } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createApp } from 'everywire';
import { openTelemetry } from 'everywire/opentelemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { META, post } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';
import { startSecrets } from './secrets.ts';
import type { Planted, Secrets } from './secrets.ts';

const MODULE = 'test/apps/canaries.ts';

let secrets: Secrets;
let served: Served;
/** Everything that came out anywhere: bodies, headers, logs, records, spans. */
const seen: string[] = [];
beforeAll(async () => {
  secrets = await startSecrets();
  Object.assign(process.env, secrets.environment);
  served = await startServing(MODULE, '--verbose');
});
afterAll(async () => {
  await served.stop();
  await secrets[Symbol.asyncDispose]();
});

const headersOf = ({ send: { bearer, apiKey, malformed } }: Planted): Record<string, string> => ({
  'x-tenant': 'blue',
  ...(bearer !== undefined && { authorization: malformed ? `Bearer ${bearer} ${bearer}` : `Bearer ${bearer}` }),
  ...(apiKey !== undefined && { 'x-api-key': apiKey }),
});

/** Returns the status, and remembers the rest. */
async function read(response: Response): Promise<number> {
  seen.push(JSON.stringify([...response.headers]), await response.text());
  return response.status;
}

const json = { 'content-type': 'application/json' };
const tool = (name: string) => ({ name: `functions.${name}`, arguments: {} });

/** Ways in, each of which asks for what it can. */
const SERVERS: Readonly<Record<string, (headers: Record<string, string>, name: string) => Promise<Response>>> = {
  HTTP: (headers, name) =>
    fetch(`${served.url}/functions/${name}`, { method: 'POST', headers: { ...json, ...headers }, body: '{}' }),
  'a stream': (headers, name) =>
    fetch(`${served.url}/functions/${name}`, { method: 'POST', headers: { ...headers, accept: 'text/event-stream' } }),
  OpenAPI: (headers) => fetch(`${served.url}/openapi.json`, { headers }),
  'MCP 2025-11-25': (headers, name) =>
    post(served.url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool(name) }, headers),
  'MCP 2026-07-28': (headers, name) =>
    post(
      served.url,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...tool(name), _meta: META } },
      {
        ...headers,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': `functions.${name}`,
      },
    ),
};

it.each(Object.entries(SERVERS))(proves('access.secrets', 'none of 100 is seen: %s'), async (way, send) => {
  const statuses = new Set<number>();
  for (let i = 0; i < 100; i++) {
    statuses.add(await read(await send(headersOf(secrets.plant()), i % 3 === 0 ? 'Fail' : 'Tell')));
  }
  // Recognised, malformed and refused; the document is for everybody.
  if (way !== 'OpenAPI') expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401]));
});

it(proves('access.secrets', 'none is seen in traces and metrics'), async () => {
  const { options } = (await import('../apps/canaries.ts')) as typeof import('../apps/canaries.ts');
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const see = (...values: unknown[]) => void seen.push(inspect(values, { depth: Infinity }));
  const log = { debug: see, info: see, warn: see, error: see };
  const app = createApp({ ...options(), log, audit: { to: openTelemetry({ tracerProvider, meterProvider }) } });
  for (let i = 0; i < 100; i++) {
    const init = { method: 'POST', headers: { ...json, ...headersOf(secrets.plant()) }, body: '{}' };
    await read(await app.fetch(new Request(`http://localhost/functions/${i % 2 ? 'Tell' : 'Fail'}`, init)));
  }
  await reader.forceFlush();
  expect(spans.getFinishedSpans().length).toBeGreaterThan(90);
  const told = spans
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  seen.push(inspect([told, metrics.getMetrics()], { depth: Infinity, maxArrayLength: Infinity }));
  await meterProvider.shutdown();
});

/** One process for each: so only each way once. */
const PROCESSES: Readonly<Record<string, (planted: Planted, name: string) => ReturnType<typeof run>>> = {
  CGI: (planted, name) => {
    const { authorization, 'x-api-key': key } = headersOf(planted);
    return run(['dist/bin/everywire.js', 'cgi', MODULE], undefined, {
      REQUEST_METHOD: 'POST',
      PATH_INFO: `/functions/${name}`,
      ...(authorization && { HTTP_AUTHORIZATION: authorization }),
      ...(key && { HTTP_X_API_KEY: key }),
    });
  },
  'the command line': (planted, name) =>
    run(['dist/bin/everywire.js', 'call', MODULE, name, '--profile', 'status'], undefined, tokenOf(planted)),
  'MCP over stdio': (planted, name) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...tool(name), _meta: META } };
    const input = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    return run(['dist/bin/everywire.js', 'mcp', MODULE, '--verbose'], input, tokenOf(planted));
  },
};

function tokenOf({ send: { bearer, apiKey, malformed } }: Planted): Record<string, string> {
  const token = bearer ?? apiKey ?? '';
  return { EVERYWIRE_TOKEN: malformed ? `${token} ${token}` : token };
}

it.each(Object.entries(PROCESSES))(proves('access.secrets', 'none is seen: %s'), async (_way, start) => {
  let recognised = 0;
  for (let i = 0; i < 12; i += 3) {
    const ran = await Promise.all([0, 1, 2].map((k) => start(secrets.plant(), (i + k) % 2 ? 'Fail' : 'Tell')));
    for (const { stdout, stderr } of ran) {
      seen.push(stdout, stderr);
      if (stderr.includes('"code":"OK"') || stdout.includes('principal')) recognised++;
    }
  }
  expect(recognised).toBeGreaterThan(0);
});

it(proves('access.secrets', 'none of more than 500 was seen in anything that came out'), async () => {
  await setTimeout(300); // the log is another pipe
  const log = served.stderr();
  expect(log).toContain('"code":"UNAUTHENTICATED"');
  expect(log).toContain('"code":"OK"');
  const all = [...seen, log].join('\n');
  expect(all.length).toBeGreaterThan(300_000);
  expect(all).toContain('blue');
  expect(secrets.planted.size).toBeGreaterThan(500);
  expect(secrets.seenIn(all)).toEqual([]);
});
