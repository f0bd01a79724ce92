import { PassThrough } from 'node:stream';
import { serve } from 'everywire/node';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp, type AppOptions } from '../../src/index.ts';
import { eachLine } from '../../src/proof/each-line.ts';
import type { Random } from '../../src/proof/random.ts';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import built, { options } from '../apps/messages.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { size } from '../kit/sizes.ts';
import { generate, pick, seeded } from './generated-requests.ts';
import { INITIALIZE, legacy, messagesIn, META, modern } from './mcp-post.ts';

const SEED = Number(process.env['MESSAGE_SEED'] ?? 20261116);
const COUNT = Number(process.env['MESSAGE_COUNT'] ?? size(600, 3000));
/** Messages per session: more than one, since the first ones decide the era. */
const TALK = 300;
const app = createApp(options as unknown as AppOptions);
const HELLO = { ...INITIALIZE, id: 'hello', params: { ...INITIALIZE.params, capabilities: {} } };

const figures = { messages: 0, requests: 0 };
afterAll(() => report('messages', { ...figures, seed: `MESSAGE_SEED=${SEED}` }));

interface Reply {
  readonly id?: string | number | null;
  readonly rawId?: string | undefined;
  readonly method?: string;
  readonly result?: { readonly structuredContent?: unknown };
  readonly error?: { readonly code: number };
}

/** A valid call that must succeed, whatever was sent before. */
function right(id: string, era: 'legacy' | 'modern') {
  const params = { name: 'functions.Add', arguments: { x: 20, y: 22 }, ...(era === 'modern' && { _meta: META }) };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

function generateMany(era: 'legacy' | 'modern', count: number, part: number): Generated[] {
  const random = seeded(SEED + part);
  return Array.from({ length: count }, (_, i) => message(random, era, part * 1_000_000 + i + 1));
}

const shown = ({ line }: Generated) => new TextDecoder().decode(line.subarray(0, 2000));

describe('every request gets a response', { timeout: Math.max(120_000, COUNT * 30) }, () => {
  it.each(['legacy', 'modern'] as const)(proves('mcp.answers', 'on stdio, %s'), async (era) => {
    const talks = Math.ceil(COUNT / 2 / TALK);
    for (let part = 0; part < talks; part++) {
      const made = generateMany(era, TALK, part * 2 + (era === 'legacy' ? 0 : 1));
      await converse(era, made);
    }
  });

  it.each(['legacy', 'modern'] as const)(proves('mcp.answers', 'over HTTP, %s'), async (era) => {
    const host = await serve(built, { port: 0 });
    try {
      const made = generateMany(era, Math.ceil(COUNT / 6), 1000 + (era === 'legacy' ? 0 : 1));
      for (const [i, one] of made.entries()) await exchange(host.url, one, era, i % 10 === 0);
    } finally {
      await host.drain();
    }
  });
});

/** Sends everything at once, ends the input and compares the responses with what was sent. */
async function converse(era: 'legacy' | 'modern', made: readonly Generated[]): Promise<void> {
  const first = era === 'legacy' ? HELLO : right('hello', 'modern');
  const parts = [Buffer.from(`${JSON.stringify(first)}\n`)];
  for (const { line } of made) parts.push(Buffer.from(line), Buffer.from('\n'));
  parts.push(Buffer.from(`${JSON.stringify(right('last', era))}\n`));
  const said = await talk(Buffer.concat(parts));

  const answers = new Map<unknown, number>();
  let refused = 0;
  for (const { rawId: id, method } of said) {
    if (method !== undefined) continue;
    if (id === undefined) refused++;
    else answers.set(id, (answers.get(id) ?? 0) + 1);
  }
  for (const one of made) {
    const got = answers.get(one.id) ?? 0;
    if (one.owed === 'answer') expect(got, `answers to ${shown(one)} (seed ${SEED})`).toBe(1);
    figures.messages++;
    if (one.owed === 'answer') figures.requests++;
  }
  const owed = made.filter((one) => one.owed === 'answer').length;
  const others = made.filter((one) => one.owed === 'refusal').length;
  const unasked = [...answers.keys()].filter((id) => !made.some((one) => one.id === id));
  expect(unasked, 'responses without a request').toEqual(['"hello"', '"last"']);
  expect(answers.size).toBe(owed + 2);
  expect(refused, 'refusals without an id').toBe(others);
  expect(said.find(({ id }) => id === 'last')?.result?.structuredContent).toEqual({ result: 42 });
}

/** All output of a server for an input, until it has ended. */
async function talk(text: string | Buffer): Promise<Reply[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said: Reply[] = [];
  eachLine(output, (line) => {
    const reply = JSON.parse(line) as Reply;
    said.push({ ...reply, rawId: rawId(reply, line) });
  });
  const { ended } = serveMcpStdio(app, input, output, {});
  input.end(text);
  expect(await ended).toEqual({ unanswered: 0, written: 'all' });
  return said;
}

/** One HTTP request; sometimes a valid one follows on the same connection. */
async function exchange(url: string, made: Generated, era: 'legacy' | 'modern', isProbed: boolean): Promise<void> {
  const response = await post(url, made.headers, made.line);
  figures.messages++;
  expect(response.status, `${shown(made)} (seed ${SEED})`).toBeLessThan(500);
  if (made.owed === 'answer') {
    figures.requests++;
    const answers = ((await messagesIn(response)) as Reply[]).filter(({ method }) => method === undefined);
    expect(answers, `${shown(made)} (seed ${SEED})`).toHaveLength(1);
  }
  if (made.owed !== 'answer') await response.text();
  if (!isProbed) return;
  const next = await (era === 'modern' ? modern : legacy)(url, right('next', era));
  expect(((await next.json()) as Reply).result?.structuredContent).toEqual({ result: 42 });
}

function post(url: string, headers: Record<string, string>, body: Uint8Array): Promise<Response> {
  return fetch(`${url}/mcp`, { method: 'POST', headers, body: body.slice(), signal: AbortSignal.timeout(10_000) });
}

/** The expected response to a line: one with the request's id, an error without an id, or none. */
type Owed = 'answer' | 'refusal' | 'nothing';

interface Generated {
  /** One line, without the newline. */
  readonly line: Uint8Array;
  readonly owed: Owed;
  /** As JSON, exactly as it must stand in the response. */
  readonly id?: string | undefined;
  /** For HTTP, where the line is the body. */
  readonly headers: Record<string, string>;
}

const TOOLS = ['Add', 'Split', 'Nothing', 'Fail', 'Throw', 'Lie', 'Later', 'Picture', 'Words', 'Missing'];

/** A value of any type and size, as JSON text. */
function anyJson(random: Random): string {
  return pick<() => string>(random, [
    () => pick(random, ['null', 'true', '0', '-1', '1.5', '1e400', '-1e400', '9007199254740993', '1E3', '1e-400']),
    () => String(Math.floor(random() * 1e6)),
    () => JSON.stringify(pick(random, ['', 'a', 'äö€😀', '\u0000', '\u2028', '__proto__', 'x'.repeat(5000)])),
    () => pick(random, ['"\\ud800"', '"\\udfff x"', '{"\\ud800":1}']),
    () => pick(random, ['[]', '[1,[2,[3]]]', '{}', '{"a":{"b":[]}}', '{"__proto__":{"x":1}}', '{"a":1,"a":2}']),
    () => nested(random, 1 + Math.floor(random() * 300)),
    () => nested(random, 20_000),
    () => `[${Array.from({ length: 1000 }, (_, i) => i).join(',')}]`,
  ])();
}

function nested(random: Random, depth: number): string {
  return random() < 0.5 ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** Valid and invalid ids; a server must repeat both in its response. */
function anyId(random: Random, unique: number): string {
  return pick<() => string>(random, [
    () => String(unique),
    () => String(-unique),
    () => JSON.stringify(`id-${unique}`),
    () => JSON.stringify(`ü"\n😀${unique}`),
    () => JSON.stringify(`${'long'.repeat(1000)}${unique}`),
    () => `${unique}.5`,
    () => String(9_007_199_254_740_993n + 2n * BigInt(unique)),
    () => `${unique}e300`,
    () => `${unique}e400`,
    () => pick(random, ['null', 'true', '[]', '{}']),
  ])();
}

const METHODS = ['tools/call', 'tools/call', 'tools/call', 'tools/list', 'ping', 'server/discover', 'initialize'];
const OTHERS = [
  '',
  ...'notifications/initialized notifications/cancelled logging/setLevel prompts/list prompts/get'.split(' '),
  ...'resources/list resources/read completion/complete no/such rpc.discover tasks/get roots/list'.split(' '),
  ...'sampling/createMessage elicitation/create __proto__ constructor'.split(' '),
];

function anyMethod(random: Random): string {
  if (random() < 0.1) return anyJson(random);
  return JSON.stringify(random() < 0.6 ? pick(random, METHODS) : pick(random, OTHERS));
}

function anyParams(random: Random, meta: string | undefined): string | undefined {
  const how = random();
  if (how < 0.1) return undefined;
  if (how < 0.25) return anyJson(random);
  const _meta = random() < 0.15 ? anyJson(random) : meta;
  const parts = [
    random() < 0.8 && `"name":${random() < 0.9 ? `"functions.${pick(random, TOOLS)}"` : anyJson(random)}`,
    random() < 0.8 && `"arguments":${random() < 0.5 ? '{"x":1,"y":2,"text":"a b","code":"NO"}' : anyJson(random)}`,
    random() < 0.1 && `"extra":${anyJson(random)}`,
    random() < 0.1 && `"uri":${anyJson(random)}`,
    _meta !== undefined && `"_meta":${_meta}`,
  ];
  return `{${parts.filter(Boolean).join(',')}}`;
}

const MODERN = JSON.stringify(META);
const encoder = new TextEncoder();

/** One line, valid or not. Ids are unique, so that responses can be told apart. */
function message(random: Random, era: 'legacy' | 'modern', unique: number): Generated {
  const how = random();
  if (how < 0.06) return rubbish(random);
  if (how < 0.07) return blank(random);
  if (how < 0.3) return mutated(random, era, unique);
  const isRequest = random() < 0.85;
  const id = isRequest ? anyId(random, unique) : undefined;
  const method = how < 0.34 ? undefined : anyMethod(random);
  const params = anyParams(random, era === 'modern' && random() < 0.9 ? MODERN : undefined);
  const parts = [
    random() < 0.97 ? '"jsonrpc":"2.0"' : `"jsonrpc":${anyJson(random)}`,
    id !== undefined && `"id":${id}`,
    method !== undefined && `"method":${method}`,
    params !== undefined && `"params":${params}`,
    random() < 0.05 && `"extra":${anyJson(random)}`,
    method === undefined && random() < 0.5 && `"result":${anyJson(random)}`,
    method === undefined && random() < 0.5 && `"error":${anyJson(random)}`,
  ].filter(Boolean);
  if (random() < 0.3) parts.reverse();
  return owedFor(`{${parts.join(random() < 0.1 ? ' , ' : ',')}}`, headersFor(era, method, params));
}

/** A client's request with up to two mistakes. */
function mutated(random: Random, era: 'legacy' | 'modern', unique: number): Generated {
  const { headers, message: made } = generate(random, era);
  const isAsking = JSON.stringify(made).includes('.Ask');
  const known = made as Record<string, unknown>;
  const renamed = 'id' in known ? { ...known, id: `m${unique}` } : known;
  return owedFor(JSON.stringify(isAsking ? { jsonrpc: '2.0', id: `m${unique}`, method: 'ping' } : renamed), headers);
}

function headersFor(era: string, method: string | undefined, params: string | undefined): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (era === 'legacy') return headers;
  const word = (json: string | undefined) => (/^"([\w./-]+)"$/.exec(json ?? '') ?? [])[1] ?? 'x';
  const name = word(/"name":("[^"]*")/.exec(params ?? '')?.[1]);
  return { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': word(method), 'mcp-name': name };
}

function rubbish(random: Random): Generated {
  const headers = headersFor('legacy', undefined, undefined);
  const line = pick<() => Uint8Array | string>(random, [
    () => 'not JSON',
    () => '{"jsonrpc":"2.0","id":1,"method":"ping"',
    () => '[]',
    () => '[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"ping"}]',
    () => '"text"',
    () => '7',
    () => 'null',
    () => '{}',
    () => '['.repeat(30_000),
    () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    () => new Uint8Array([...encoder.encode('{"jsonrpc":"2.0","id":1,"method":"'), 0xc3, 0x28, 0x22, 0x7d]),
    () => new Uint8Array([0xed, 0xa0, 0x80]),
    () => '\u0001',
    () => '[1,'.repeat(10_000),
  ])();
  return { line: typeof line === 'string' ? encoder.encode(line) : line, owed: 'refusal', headers };
}

/** Blank lines are allowed between messages. */
function blank(random: Random): Generated {
  const line = encoder.encode(pick(random, ['', ' ', '\t', '\r']));
  return { line, owed: 'nothing', headers: headersFor('legacy', undefined, undefined) };
}

/** The response that JSON-RPC requires. */
function owedFor(text: string, headers: Record<string, string>): Generated {
  const line = encoder.encode(text);
  const made = JSON.parse(text) as Record<string, unknown>;
  const isResponse = !('method' in made) && ('result' in made || 'error' in made);
  if (isResponse) return { line, owed: 'nothing', headers };
  if (!('id' in made))
    return {
      line,
      owed: made['jsonrpc'] === '2.0' && typeof made['method'] === 'string' ? 'nothing' : 'refusal',
      headers,
    };
  const id = rawId(made, text);
  return id === undefined ? { line, owed: 'refusal', headers } : { line, owed: 'answer', id, headers };
}

/** An id as it was written, since not every number survives parsing. */
function rawId({ id }: { readonly id?: unknown }, text: string): string | undefined {
  if (typeof id === 'string') return `"${id}"`;
  if (typeof id !== 'number') return undefined;
  const written = [...text.matchAll(/"id" ?: ?(-?\d[\d.eE+-]*)/g)].map(([, digits]) => digits!);
  return written.find((digits) => Object.is(Number(digits), id));
}
