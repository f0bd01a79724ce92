import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, startChild } from '../../measure/children.mjs';

const PATIENCE = 30_000;

/** Starts what a way says to run, on a free port, and ends it afterwards. */
export async function withServer(way, use) {
  const port = await freePort();
  const child = startChild(way.run(port), { env: { PORT: String(port) } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const server = { origin: `http://127.0.0.1:${port}`, child, printed: () => printed };
  try {
    await listens(port, child);
    return await use(server);
  } catch (error) {
    throw new Error(`${error.message}\n${printed}`, { cause: error });
  } finally {
    await endChild(child, 0);
  }
}

/** The status and the text of a response. */
export async function ask({ origin }, [path, init]) {
  const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(PATIENCE) });
  return { status: response.status, text: await response.text() };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port, child) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it listened`);
    if (await accepts(port)) return;
  }
  throw new Error(`it did not listen for ${PATIENCE} ms`);
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
