import { PassThrough } from 'node:stream';
import { serve } from 'everywire/node';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/index.ts';
import type { AppOptions } from '../../src/index.ts';
import { eachLine } from '../../src/proof/each-line.ts';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import built, { options } from '../apps/messages.ts';
import { proves } from '../promises.ts';
import { message, rawId } from './generated-messages.ts';
import type { Generated } from './generated-messages.ts';
import { report } from '../reliability/figures.ts';
import { size } from '../kit/sizes.ts';
import { seeded } from './generated-requests.ts';
import { INITIALIZE, META, legacy, messagesIn, modern } from './mcp-post.ts';

const SEED = Number(process.env['MESSAGE_SEED'] ?? 20261116);
const COUNT = Number(process.env['MESSAGE_COUNT'] ?? size(600, 3000));
/** Messages per session: more than one, since the first ones decide the era. */
const TALK = 300;
const app = createApp(options as unknown as AppOptions);
const HELLO = { ...INITIALIZE, id: 'hello', params: { ...INITIALIZE.params, capabilities: {} } };

const figures = { messages: 0, requests: 0 };
afterAll(() => {
  report('messages', { ...figures, seed: `MESSAGE_SEED=${SEED}` });
});

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

  it.each([
    ['one of 5 MB', 'x'.repeat(5_000_000), -32600],
    ['a blank one', '   \t ', undefined],
    ['two million brackets', '['.repeat(2_000_000), -32700],
    ['a million pairs of brackets', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, -32600],
  ])(proves('mcp.answers', 'a line on stdio: %s'), async (_what, line, code) => {
    const said = await talk(`${JSON.stringify(HELLO)}\n${line}\n${JSON.stringify(right('last', 'legacy'))}\n`);
    expect(said.map(({ error }) => error?.code).filter(Boolean)).toEqual(code === undefined ? [] : [code]);
    expect(said.find(({ id }) => id === 'last')?.result?.structuredContent).toEqual({ result: 42 });
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
