import { createHash } from 'node:crypto';
import type { App } from '../app/app.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { moduleOf } from '../load/app-origin.ts';
import { isRecord } from '../schema/json-schema.ts';
import { createCredentialsReader } from '../wires/http/credentials.ts';
import { decodeJson } from '../wires/json-body.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import type { ConsoleOptions } from './console-options.ts';
import { runBounded } from './run-bounded.ts';
import { spawnedWires } from './spawned-wires.ts';
import type { Sender, SpawnedWire } from './spawned-wires.ts';

/** Characters of a body that are sent to the page. All of it is compared. */
const LONGEST = 64 * 1024;

let isRunning = false;

/**
 * `POST …/compare {"function", "input"}`: makes a call in processes of their own, one for each wire that a server has not,
 * with the credentials of this request and no others. None of them outlives the request, nor this process.
 */
export async function compare(
  app: App,
  options: ConsoleOptions,
  request: HttpRequest,
  closing: AbortSignal,
): Promise<HttpReply | Failed> {
  const module = moduleOf(app);
  if (!options.command || module === undefined)
    return refuse('NOT_FOUND', 'Only an app that "everywire serve" loaded from a module can be started again');
  const decoded = decodeJson(request.body, app.limits.depth);
  if ('ok' in decoded) return decoded;
  const { function: name, input } = isRecord(decoded.input) ? decoded.input : {};
  const fn = typeof name === 'string' ? app.find(name) : undefined;
  if (!fn) return refuse('FUNCTION_NOT_FOUND', 'No such function');
  if (isRunning) return refuse('UNAVAILABLE', 'Another comparison is under way', { retryAfter: 1 });
  isRunning = true;
  const controller = new AbortController();
  const cancel = () => controller.abort();
  request.onDisconnect?.(cancel);
  closing.addEventListener('abort', cancel);
  process.once('exit', cancel);
  if (closing.aborted) cancel();
  try {
    const program = { command: options.command, module, flags: options.flags ?? [] };
    const wires = spawnedWires(program, fn, input, senderOf(app, request));
    const results = await Promise.all(wires.map((wire) => measure(wire, controller.signal)));
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify({ results }),
    };
  } finally {
    isRunning = false;
    closing.removeEventListener('abort', cancel);
    process.off('exit', cancel);
  }
}

/** Without a credential, a process started here would be the user of this machine, whom the sender need not be. */
function senderOf(app: App, request: HttpRequest): Sender {
  if (!app.access) return { kind: 'anybody' };
  const { bearer, apiKey } = createCredentialsReader(app)?.(request) ?? {};
  const token = bearer ?? apiKey;
  return token === undefined ? { kind: 'unknown' } : { kind: 'known', token };
}

async function measure(wire: SpawnedWire, signal: AbortSignal): Promise<object> {
  const { name } = wire;
  if ('problem' in wire) return { wire: name, problem: wire.problem };
  const start = performance.now();
  const ended = await runBounded(wire.run, signal);
  const duration = Math.round((performance.now() - start) * 10) / 10;
  if ('problem' in ended) return { wire: name, duration, problem: ended.problem };
  const body = wire.read(ended.stdout);
  if (typeof body !== 'string') return { wire: name, duration, ...body };
  return {
    wire: name,
    duration,
    exit: ended.exit,
    bytes: Buffer.byteLength(body),
    sha256: createHash('sha256').update(body).digest('hex'),
    body: body.slice(0, LONGEST),
    isCut: body.length > LONGEST,
  };
}
