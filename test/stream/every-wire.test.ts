import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import app from '../apps/streams.ts';
import { asJson } from '../kit/as-json.ts';
import { expectErrors } from '../kit/errors.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { closeAll, drivers, mcpClient, slowDrivers } from './drivers.ts';
import type { Driver, Event } from './drivers.ts';

expectErrors(/"operationId":"functions\.CountThenLie"/);
afterAll(closeAll);

async function readAll(driver: Driver, fn: string, input: object = {}): Promise<Event[]> {
  const { events } = await driver.open(fn, input);
  const found: Event[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** The body of the same call without a stream. */
async function bodyOf(fn: string, input: object): Promise<string> {
  return (await app.fetch(new Request(`http://localhost/functions/${fn}`, asJson(input)))).text();
}

/** What a function writes to a file. */
const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

describe.each([...drivers, mcpClient])('on $name', (driver) => {
  it(proves('stream.chunks', 'chunks come one by one, and then the answer'), async () => {
    const events = await readAll(driver, 'Count', { to: 3 });
    expect(events.map(({ event, data }) => [event, data] as unknown)).toEqual([
      ['chunk', 1],
      ['chunk', 2],
      ['chunk', 3],
      ['result', { result: 6 }],
    ]);
    expect(events.at(-1)?.raw).toBe(await bodyOf('Count', { to: 3 }));
  });

  it(proves('stream.errors', 'an error after the first chunk comes last'), async () => {
    const [first, second, last] = await readAll(driver, 'CountThenFail', { to: 2 });
    expect([first?.data, second?.data]).toEqual([1, 2]);
    expect(last).toMatchObject({ event: 'error', data: { code: 'LOST', body: { error: 'Lost count after 2' } } });
    expect(last!.data.retryAfter).toBe(2);
  });

  it(proves('stream.leaves', 'the finally of a generator runs when the caller has left'), async () => {
    const file = join(temporaryFolder('stream'), 'left');
    const { events, leave } = await driver.open('Endless', { file });
    try {
      for await (const { data } of events) {
        if (data !== 20) continue;
        expect(contentOf(file)).toBe('');
        leave();
        break;
      }
    } catch {
      // Some streams fail if they are destroyed.
    }
    await expect.poll(() => contentOf(file), { interval: 5, timeout: 10_000 }).toMatch(/\d/);
  });
});

it(proves('stream.chunks', 'an invalid chunk ends the call'), async () => {
  for (const driver of slowDrivers) {
    const events = await readAll(driver, 'CountThenLie');
    expect(events.map(({ event }) => event)).toEqual(['chunk', 'error']);
    expect(events.at(-1)!.data.code).toBe('INVALID_OUTPUT');
  }
});

it(proves('stream.same-body', 'a function that streams has the body of one that does not'), async () => {
  expect(await bodyOf('Count', { to: 7 })).toBe(await bodyOf('CountAtOnce', { to: 7 }));
  const words = (await readAll(drivers[0]!, 'Words')).at(-1)?.raw;
  expect(words).toBe(await bodyOf('Words', {}));
});

const CHUNKS = size(2000, 10_000);
const SIZE = 20_000;
/** What sockets and pipes hold is less than this number of chunks. */
const MAX_AHEAD = 1500;
/** Kilobytes. In full size, all chunks together are more, and over MCP twice that. */
const MAX_GROWTH = 150_000;

describe.each(slowDrivers)('with a slow reader on $name', (driver) => {
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
        await setTimeout(1000); // long enough for all of them, if nothing held them back
        expect(Number(contentOf(file))).toBeLessThan(MAX_AHEAD);
      }
      if (count % 1000 === 0) await setTimeout(20);
    }
    expect(count).toBe(CHUNKS);
    if (!driver.isHere) expect(growth).toBeLessThan(MAX_GROWTH);
  });
});

it(proves('stream.client', 'over MCP, a reader that is much too slow ends the call'), async () => {
  const file = join(temporaryFolder('stream'), 'far');
  const { events } = await mcpClient.open('Much', { chunks: 2000, size: SIZE, file });
  let last: Event | undefined;
  for await (const event of events) {
    if (!last) {
      // Almost as much as may wait; the rest follows soon.
      await expect.poll(() => Number(contentOf(file)), { timeout: 30_000 }).toBeGreaterThanOrEqual(800);
      await setTimeout(3000);
    }
    last = event;
  }
  expect(last).toMatchObject({ event: 'error', data: { code: 'UNAVAILABLE' } });
});
