import { createApp, defineFunction } from 'everywire';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { proves } from '../promises.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it.each([
  ['text/event-stream', ':\n\n', 'event: result\nid: end\ndata: {"result":"end"}\n\n'],
  ['application/x-ndjson', '\n', '{"event":"result","data":{"result":"end"}}\n'],
])(
  proves('stream.chunks', 'proxies see after 15 seconds that the connection is alive: %s'),
  async (accept, keepAlive, result) => {
    let end = (_value: string) => {};
    const wait = defineFunction({
      name: 'Wait',
      description: 'Waits',
      output: { type: 'string', description: 'The end' },
      run: () => new Promise<string>((resolve) => (end = resolve)),
    });
    const app = createApp({ name: 'Waiting', version: '1', functions: [wait] });
    const request = new Request('http://localhost/functions/Wait', { method: 'POST', headers: { accept } });
    const responded = app.fetch(request);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 30_000 });
    vi.advanceTimersByTime(15_000);
    const response = await responded;
    expect(response.status).toBe(200);
    vi.advanceTimersByTime(15_000);
    end('end');
    expect(await response.text()).toBe(keepAlive + keepAlive + result);
    expect(vi.getTimerCount()).toBe(0);
  },
);
