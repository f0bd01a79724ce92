import { once } from 'node:events';
import { endChild, startChild } from './children.mjs';

const PATIENCE = 20_000;

/** With real pipes, as web servers give them; what Node gives are sockets. The shell costs all the same. */
export function runPiped(args, options) {
  return runToEnd(['-c', '"$@" 2>/dev/null | cat', 'sh', process.execPath, ...args], { ...options, command: 'sh' });
}

/** A whole process, from its start to its last byte: its output, and the milliseconds it took. */
export async function runToEnd(args, { input = '', ...options } = {}) {
  const start = performance.now();
  const child = startChild(args, options);
  const closed = once(child, 'close', { signal: AbortSignal.timeout(PATIENCE) });
  let output = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
  child.stdin.on('error', () => {}); // not everybody reads it
  child.stdin.end(input);
  try {
    const [code] = await closed;
    if (code !== 0) throw new Error(`it ended with ${code}: ${complaints}`);
    return { output, wall: performance.now() - start };
  } catch (error) {
    throw new Error(`${args.join(' ')}: ${error.message}`, { cause: error });
  } finally {
    await endChild(child, 0);
  }
}
