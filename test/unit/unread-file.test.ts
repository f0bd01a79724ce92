import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from 'everywire/client';
import { proves } from '../promises.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const headers = { 'content-disposition': 'attachment; filename="a.bin"' };

/** A file whose body never ends, and whether it was cancelled. */
async function endless(): Promise<{ readonly file: File; readonly cancelled: () => boolean }> {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => void (isCancelled = true),
  });
  const send = async (input: unknown) =>
    String(input).endsWith('/functions/F') ? new Response(body, { headers }) : new Response(null, { status: 404 });
  const outcome = await createClient('http://localhost', { fetch: send, maxBufferedFile: 5 }).call('F');
  return { file: (outcome as { data: File }).data, cancelled: () => isCancelled };
}

it(proves('file.lazy', 'a file that nobody reads for five minutes ends'), async () => {
  const { file, cancelled } = await endless();
  await vi.advanceTimersByTimeAsync(299_000);
  expect(cancelled()).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(cancelled()).toBe(true);
  const reader = file.stream().getReader();
  await reader.read(); // received before
  await expect(reader.read()).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: 'Nobody read the file for 300 seconds',
  });
});

it(proves('file.lazy', 'a file that is read slowly does not end'), async () => {
  const { file, cancelled } = await endless();
  const reader = file.stream().getReader();
  for (let i = 0; i < 5; i++) {
    expect((await reader.read()).value).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(200_000);
  }
  expect(cancelled()).toBe(false);
  await reader.cancel();
  expect([cancelled(), vi.getTimerCount()]).toEqual([true, 0]);
});
