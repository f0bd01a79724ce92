import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { endChild, scratch, startChild } from './children.mjs';

const PATIENCE = 20_000;
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * A whole process, from its start to its end: its output, and the milliseconds it took. It gets a real pipe for its
 * output and a log to complain in, as web servers give them; or the socket that Node gives, or a file.
 */
export async function runToEnd(args, { input = '', env, stdout = 'pipe' } = {}) {
  const [pipe, log, file] = places();
  const opened = [openSync(pipe, O_RDONLY | O_NONBLOCK), openSync(pipe, O_WRONLY), openSync(log, 'a')];
  const [reader, writer, complaints] = opened;
  if (stdout === 'file') opened.push(openSync(file, 'w'));
  const output = { pipe: writer, socket: 'pipe', file: opened[3] }[stdout];
  try {
    const start = performance.now();
    const child = startChild(args, { env, stdio: ['pipe', output, complaints] });
    let read = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (read += text));
    const exited = once(child, stdout === 'socket' ? 'close' : 'exit', { signal: AbortSignal.timeout(PATIENCE) });
    child.stdin.on('error', () => {}); // not everybody reads it
    child.stdin.end(input);
    try {
      const [code] = await exited;
      const wall = performance.now() - start;
      if (code !== 0) throw new Error(`it ended with ${code}: ${readFileSync(log, 'utf8')}`);
      return { wall, output: stdout === 'file' ? readFileSync(file, 'utf8') : read || written(reader) };
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
  return (made ??= ['pipe', 'log', 'file'].map((name) => join(scratch, name)));
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
