import { describe, expect, it } from 'vitest';
import app from '../apps/progress.ts';
import { proves } from '../promises.ts';
import { openStdio } from '../wires/stdio.ts';
import { INITIALIZE, META, legacy, messagesIn, modern } from './mcp-post.ts';

// Without the MCP client: it drops progress that arrives together with the response, since it handles responses at once
// and notifications a little later.

const callOf = (id: number, name: string, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: `functions.${name}`, arguments: {}, _meta: { progressToken: id, ...meta } },
});

interface Heard {
  readonly id?: number;
  readonly params?: { readonly progressToken: number; readonly progress: number };
  readonly result?: { readonly structuredContent?: unknown };
}

/** The messages for a call, in order. */
const cameFor = (id: number, messages: readonly Heard[]) =>
  messages
    .filter((message) => message.id === id || message.params?.progressToken === id)
    .map(({ params, result }) => params?.progress ?? result?.structuredContent);

const ALL = [1, 2, 3, { result: 3 }];
const IDS = Array.from({ length: 10 }, (_, i) => i + 1);

describe.each(['AtOnce', 'Later'])('a function that reports progress and returns: %s', (name) => {
  it.each([
    ['2025-11-25', [INITIALIZE], {}],
    ['2026-07-28', [], META],
  ])(proves('mcp.progress', 'all of it is sent before the response on stdio, %s'), async (_revision, before, meta) => {
    const session = openStdio(app);
    const messages: Heard[] = [];
    session.onLine((line) => messages.push(JSON.parse(line) as Heard));
    for (const one of [...before, ...IDS.map((id) => callOf(id, name, meta))]) session.write(JSON.stringify(one));
    await session.close();
    for (const id of IDS) expect(cameFor(id, messages)).toEqual(ALL);
  });

  it.each([
    ['2025-11-25', legacy],
    ['2026-07-28', modern],
  ])(proves('mcp.progress', 'all of it is sent before the response over HTTP, %s'), async (_revision, send) => {
    for (const id of IDS) expect(cameFor(id, await messagesIn(await send(app, callOf(id, name))))).toEqual(ALL);
  });
});
