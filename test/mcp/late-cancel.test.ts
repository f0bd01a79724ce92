import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import { proves } from '../promises.ts';
import { app } from './lane-app.ts';

const woken = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../src/wires/mcp/sdk/stdio.ts', async (original) => {
  const room = await original<typeof import('../../src/wires/mcp/sdk/stdio.ts')>();
  return {
    openOfficialStdio(...given: Parameters<typeof room.openOfficialStdio>) {
      woken.count++;
      return room.openOfficialStdio(...given);
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

it(proves('mcp.cancel', 'a cancellation that comes too late, or means nothing, does not wake the SDK'), async () => {
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
  expect(woken.count).toBe(0);
  input.write(line({ jsonrpc: '2.0', id: 3, method: 'prompts/list' }));
  await vi.waitFor(() => expect(text).toContain('"id":3'), { timeout: 10_000 });
  expect(woken.count).toBe(1); // else nothing would have been counted
  input.end();
  expect(await served.ended).toEqual({ unanswered: 0, written: 'all' });
});

it(
  proves('mcp.cancel', 'a notification that cancels nothing by the rules leaves the call to be answered'),
  async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let text = '';
    output.setEncoding('utf8').on('data', (part: string) => (text += part));
    const served = serveMcpStdio(app, input, output, {});
    input.end(line(hello) + line(call) + line(cancel({ requestId: 1, reason: 7 })) + line(cancel({ requestId: 1.5 })));
    await served.ended;
    expect(text.match(/"id":1,/g)).toHaveLength(1);
  },
);
