import { fileURLToPath } from 'node:url';
import { endChild, startModule } from './children.mjs';

const PATIENCE = 30_000;

/** Starts a contender that listens on a port, in a process of its own. Whoever starts one must stop it. */
export async function startServer(name, file, args = [], flags = []) {
  const started = performance.now();
  const child = startModule(fileURLToPath(new URL(`../contenders/${file}`, import.meta.url)), args, flags);
  try {
    const { port } = await firstMessage(child, name);
    const start = performance.now() - started;
    return { name, pid: child.pid, start, origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

function firstMessage(child, name) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} said nothing for ${PATIENCE} ms`)), PATIENCE);
    child.once('message', resolve).once('exit', () => reject(new Error(`${name} ended before its time`)));
    child.once('message', () => clearTimeout(timer)).once('exit', () => clearTimeout(timer));
  });
}

/** Hangs up, on which a contender leaves. */
async function stop(child) {
  if (child.connected) child.disconnect();
  await endChild(child, 1000);
}
