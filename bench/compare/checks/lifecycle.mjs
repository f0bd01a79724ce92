import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectEqual } from './expect.mjs';
import { withMcpClient } from './with-mcp-client.mjs';
import { ask, withServer } from './with-server.mjs';

const PATIENCE = 10_000;

/** A call is under way when the server is told to stop: it is finished, then the database is closed, then all ends. */
export function checkLifecycle(way) {
  if (way.tool === undefined) return withServer(way, (server) => stopDuring(server, () => overHttp(way, server)));
  return withMcpClient(way, (client, server) => stopDuring(server, () => overMcp(way, client)));
}

async function stopDuring(server, call) {
  const exited = once(server.child, 'exit', { signal: AbortSignal.timeout(PATIENCE) });
  const answer = call();
  while (!server.printed().includes('database: asked')) await sleep(10);
  server.child.kill('SIGTERM');
  expectEqual(await answer, { pieces: 12 }, 'the result of the call under way');
  const [code] = await exited;
  expectEqual(code, 0, 'the exit code');
  const told = server.printed().match(/database: .*/g);
  expectEqual(
    told,
    ['database: opened', 'database: asked', 'database: closed with 0 under way'],
    'what the database saw',
  );
}

async function overHttp(way, server) {
  const { text } = await ask(server, way.request({ product: 'tea' }));
  return way.unwrap(JSON.parse(text));
}

async function overMcp(way, client) {
  const { content } = await client.callTool({ name: way.tool, arguments: { product: 'tea' } });
  return way.unwrap(JSON.parse(content[0].text));
}
