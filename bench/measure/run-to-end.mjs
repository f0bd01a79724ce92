import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { endChild, scratch, startChild } from './children.mjs';

const PATIENCE = 20_000;
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * A whole process, from its start to its end: its output, and the milliseconds it took. It gets a real pipe for its
 * output and a log to complain in, as web servers give them; what Node gives are sockets.
 */
export async function runToEnd(args, { input = '', env } = {}) {
  const [pipe, log] = places();
  const opened = [openSync(pipe, O_RDONLY | O_NONBLOCK), openSync(pipe, O_WRONLY), openSync(log, 'a')];
  const [reader, output, complaints] = opened;
  try {
    const start = performance.now();
    const child = startChild(args, { env, stdio: ['pipe', output, complaints] });
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE) });
    child.stdin.on('error', () => {}); // not everybody reads it
    child.stdin.end(input);
    try {
      const [code] = await exited;
      const wall = performance.now() - start;
      if (code !== 0) throw new Error(`it ended with ${code}: ${readFileSync(log, 'utf8')}`);
      return { wall, output: written(reader) };
    } finally {
      await endChild(child, 0);
    }
  } catch (error) {
    throw new Error(`${args.join(' ')}: ${error.message}`, { cause: error });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

let made;

function places() {
  if (!made) execFileSync('mkfifo', [join(scratch, 'pipe')]);
  return (made ??= [join(scratch, 'pipe'), join(scratch, 'log')]);
}

/** All that is in the pipe: what is answered is smaller than it. */
function written(reader) {
  const bytes = Buffer.alloc(65_536);
  try {
    return bytes.toString('utf8', 0, readSync(reader, bytes));
  } catch (error) {
    if (error.code === 'EAGAIN') return ''; // nothing is in it
    throw error;
  }
}
