import { expect, expectEqual } from './expect.mjs';
import { withMcpClient } from './with-mcp-client.mjs';
import { withServer } from './with-server.mjs';

const MONTHS = 3;

/** What came is kept with every piece that came: the first rows must be there before the last one is computed. */
export async function checkStream(way) {
  const received = way.tool === undefined ? await overHttp(way) : await overMcp(way);
  const first = received.find((text) => text.includes('sales'));
  expect(first && !rowsOf(first).includes(MONTHS), `all came at once: ${received.at(-1)}`);
  expectEqual([...new Set(rowsOf(received.at(-1)))], [1, 2, 3], 'the months that came');
}

const rowsOf = (text) => [...text.matchAll(/month\W+(\d+)/g)].map(([, month]) => Number(month));

function overHttp(way) {
  return withServer(way, async ({ origin }) => {
    const [path, init] = way.request({ months: MONTHS });
    const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(30_000) });
    expectEqual(response.status, 200, 'the status');
    const received = [];
    let all = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) received.push((all += text));
    return received;
  });
}

function overMcp(way) {
  return withMcpClient(way, async (client) => {
    const received = [];
    let all = '';
    client.fallbackNotificationHandler = async (notification) => {
      received.push((all += JSON.stringify(notification.params)));
    };
    await client.callTool({ name: way.tool, arguments: { months: MONTHS } });
    return received;
  });
}
