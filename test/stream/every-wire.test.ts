import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import app from '../apps/streams.ts';
import { closeAll, drivers, mcpClient } from './drivers.ts';
import type { Driver, Event } from './drivers.ts';

afterAll(closeAll);

async function readAll(driver: Driver, fn: string, input: object = {}): Promise<Event[]> {
  const { events } = await driver.open(fn, input);
  const found: Event[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const dataOf = (events: readonly Event[]) => events.map(({ event, data }) => [event, data] as unknown);

/** The body of the same call without a stream. */
async function bodyOf(fn: string, input: object): Promise<string> {
  const request = new Request(`http://localhost/functions/${fn}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  return (await app.fetch(request)).text();
}

describe.each([...drivers, mcpClient])('on $name', (driver) => {
  it(proves('stream.chunks', 'chunks come one by one, and then the answer'), async () => {
    const events = await readAll(driver, 'Count', { to: 3 });
    expect(dataOf(events)).toEqual([
      ['chunk', 1],
      ['chunk', 2],
      ['chunk', 3],
      ['result', { result: 6 }],
    ]);
  });

  it(proves('stream.same-body', 'the result is the body without a stream, byte for byte'), async () => {
    for (const [fn, input] of [
      ['Count', { to: 7 }],
      ['Words', {}],
    ] as const)
      expect((await readAll(driver, fn, input)).at(-1)?.raw).toBe(await bodyOf(fn, input));
    expect(await bodyOf('Count', { to: 7 })).toBe(await bodyOf('CountAtOnce', { to: 7 }));
  });

  it(proves('stream.errors', 'an error after the first chunk comes last'), async () => {
    const [first, second, last] = await readAll(driver, 'CountThenFail', { to: 2 });
    expect([first?.data, second?.data]).toEqual([1, 2]);
    expect(last).toMatchObject({ event: 'error', data: { code: 'LOST', body: { error: 'Lost count after 2' } } });
    expect(last!.data.retryAfter).toBe(2);
  });

  it(proves('stream.chunks', 'an invalid chunk ends the call'), async () => {
    const events = await readAll(driver, 'CountThenLie');
    expect(events.map(({ event }) => event)).toEqual(['chunk', 'error']);
    expect(events.at(-1)!.data.code).toBe('INVALID_OUTPUT');
  });

  it(
    proves('stream.leaves', 'the finally of a generator runs within 100 ms after the caller has left'),
    { retry: 4 },
    async () => {
      const file = join(temporaryFolder('stream'), 'left');
      const { events, leave } = await driver.open('Endless', { file });
      let left = 0;
      try {
        for await (const { data } of events) {
          if (data !== 20) continue;
          left = Date.now();
          leave();
          break;
        }
      } catch {
        // Some streams fail if they are destroyed.
      }
      await expect
        .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { interval: 5, timeout: 5000 })
        .toMatch(/\d/);
      expect(Number(readFileSync(file, 'utf8')) - left).toBeLessThan(100);
    },
  );
});

const CHUNKS = 10_000;
const SIZE = 20_000;
/** What sockets and pipes hold is less than this number of chunks. */
const MAX_AHEAD = 1500;
/** Kilobytes. All chunks together are more, and over MCP twice that. */
const MAX_GROWTH = 150_000;

describe.each(drivers)('with a slow reader on $name', (driver) => {
  it(proves('stream.slow', `${CHUNKS} chunks arrive, and memory stays bounded`), async () => {
    const file = join(temporaryFolder('stream'), 'far');
    const { events } = await driver.open('Much', { chunks: CHUNKS, size: SIZE, file });
    let count = 0;
    let growth = Infinity;
    for await (const { event, data } of events) {
      if (event === 'result') growth = data.result;
      else if (event === 'chunk') expect(Number.parseInt(data, 10)).toBe(++count);
      else expect.unreachable(JSON.stringify(data));
      if (count === 10) {
        await setTimeout(1000);
        expect(existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0).toBeLessThan(MAX_AHEAD);
      }
      if (count % 1000 === 0) await setTimeout(20);
    }
    expect(count).toBe(CHUNKS);

    expect(growth).toBeLessThan(MAX_GROWTH);
  });
});

it(proves('stream.client', 'over MCP, a reader that is much too slow ends the call'), async () => {
  const file = join(temporaryFolder('stream'), 'far');
  const { events } = await mcpClient.open('Much', {
    chunks: 2000,
    size: SIZE,
    file,
  });
  let last: Event | undefined;
  for await (const event of events) {
    if (!last) {
      // Almost as much as may wait; the rest follows soon.
      await expect
        .poll(() => Number(existsSync(file) && readFileSync(file, 'utf8')), { timeout: 30_000 })
        .toBeGreaterThanOrEqual(800);
      await setTimeout(3000);
    }
    last = event;
  }
  expect(last).toMatchObject({ event: 'error', data: { code: 'UNAVAILABLE' } });
});
