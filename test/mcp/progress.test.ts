import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { startServing } from '../kit/served.ts';

// Without the MCP client: it drops progress that arrives together with the response, since it handles responses at once
// and notifications a little later.

const APP = 'test/apps/progress.ts';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

const callOf = (id: number, name: string, meta: object) => ({
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

describe.each(['AtOnce', 'Later'])('a function that reports progress and returns: %s', (name) => {
  it.each([
    ['2025-11-25', [{ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }], {}],
    ['2026-07-28', [], META],
  ])(proves('mcp.progress', 'all of it is sent before the response on stdio, %s'), async (_revision, before, meta) => {
    const ids = Array.from({ length: 20 }, (_, i) => i + 1);
    const asked = [...before, ...ids.map((id) => callOf(id, name, meta))].map((one) => `${JSON.stringify(one)}\n`);
    const { stdout } = await run(['dist/bin/everywire.js', 'mcp', APP], Buffer.from(asked.join('')));
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Heard);
    for (const id of ids) expect(cameFor(id, messages)).toEqual(ALL);
  });

  it.each([
    ['2025-11-25', {}, {}],
    ['2026-07-28', META, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }],
  ])(
    proves('mcp.progress', 'all of it is sent before the response over HTTP, %s'),
    async (_revision, meta, headers) => {
      const served = await startServing(APP);
      try {
        for (let id = 1; id <= 10; id++) {
          const response = await fetch(`${served.url}/mcp`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              ...headers,
              ...('mcp-method' in headers && { 'mcp-name': `functions.${name}` }),
            },
            body: JSON.stringify(callOf(id, name, meta)),
          });
          const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
          const messages = events.map((line) => JSON.parse(line.slice('data: '.length)) as Heard);
          expect(cameFor(id, messages)).toEqual(ALL);
        }
      } finally {
        await served.stop();
      }
    },
  );
});
