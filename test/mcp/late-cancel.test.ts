import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { createApp } from '../../src/index.ts';
import type { AppOptions } from '../../src/index.ts';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import { options } from '../apps/messages.ts';
import { proves } from '../promises.ts';

const app = createApp(options as unknown as AppOptions);

const opened = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../src/wires/mcp/sdk/stdio.ts', async (original) => {
  const real = await original<typeof import('../../src/wires/mcp/sdk/stdio.ts')>();
  return {
    openSdkStdio(...given: Parameters<typeof real.openSdkStdio>) {
      opened.count++;
      return real.openSdkStdio(...given);
    },
  };
});

const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'functions.Later', arguments: { x: 3 } } };
const cancel = (params: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
const line = (message: object) => `${JSON.stringify(message)}\n`;

it(proves('mcp.cancel', 'a cancellation that comes too late, or cancels nothing, does not load the SDK'), async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.setEncoding('utf8').on('data', (part: string) => (text += part));
  const served = serveMcpStdio(app, input, output, {});
  input.write(line(hello) + line(call));
  await vi.waitFor(() => expect(text).toContain('"result":3'));
  for (const params of [{ requestId: 1 }, { requestId: 'other' }, {}, undefined, { requestId: null }])
    input.write(line(cancel(params)));
  input.write(line({ ...call, id: 2 }));
  await vi.waitFor(() => expect(text).toContain('"id":2'));
  expect(opened.count).toBe(0);
  input.write(line({ jsonrpc: '2.0', id: 3, method: 'prompts/list' }));
  await vi.waitFor(() => expect(text).toContain('"id":3'), { timeout: 10_000 });
  expect(opened.count).toBe(1); // proves that loads are counted
  input.end();
  expect(await served.ended).toEqual({ unanswered: 0, written: 'all' });
});

it(proves('mcp.cancel', 'an invalid cancellation does not cancel the call'), async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.setEncoding('utf8').on('data', (part: string) => (text += part));
  const served = serveMcpStdio(app, input, output, {});
  input.end(line(hello) + line(call) + line(cancel({ requestId: 1, reason: 7 })) + line(cancel({ requestId: 1.5 })));
  await served.ended;
  expect(text.match(/"id":1,/g)).toHaveLength(1);
});
