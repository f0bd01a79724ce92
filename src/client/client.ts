import type { AnyTypes, NameIn, Rest, TypedFunction, TypesOf } from '../app/call-types.ts';
import { createChunkStream } from '../core/chunk-stream.ts';
import type { ChunkStream } from '../core/chunk-stream.ts';
import type { Code } from '../core/codes.ts';
import type { Outcome } from '../core/outcome.ts';
import { safely } from '../core/safely.ts';
import { fromThrown } from '../responses/outcome-tools.ts';
import type { App } from '../app/app.ts';
import { connectApp, isApp } from './app-connection.ts';
import { callToEnd } from './call-to-end.ts';
import type {
  Callable,
  ClientCallOptions,
  ClientStartOptions,
  ClientStreamOptions,
  Connection,
  StreamHooks,
} from './connection.ts';
import { checkCredentials } from './credentials.ts';
import type { ClientCredential, GetCredential } from './credentials.ts';
import { connectHttp } from './http-connection.ts';
import { connectMcp, isMcpClient } from './mcp-connection.ts';
import type { McpClient } from './mcp-connection.ts';
import { connectOpenApi } from './openapi-connection.ts';
import { taskIn } from './task-connection.ts';
import { createTaskHandle, toStartedTask } from './task-handle.ts';
import type { StartedTask, TaskHandle } from './task-handle.ts';
import { withTimeout } from './with-timeout.ts';

export type { ChunkStream } from '../core/chunk-stream.ts';
export type { InputRequests, Task, TaskStatus } from '../core/task.ts';
export type { Callable, ClientCallOptions, ClientStartOptions, ClientStreamOptions } from './connection.ts';
export type { ClientCredential, GetCredential } from './credentials.ts';
export type { McpClient } from './mcp-connection.ts';
export type { StartedTask, TaskHandle } from './task-handle.ts';

/** Calls functions on a server. With the type of an app, calls are typed; without it, any name compiles. */
export interface Client<A = unknown> {
  readonly call: FunctionsOf<A> extends infer F extends readonly TypedFunction[] ? TypedCall<F> : UntypedCall;
  /** Calls a function that streams: `for await (const chunk of client.stream('Count', { to: 3 }))`. */
  readonly stream: FunctionsOf<A> extends infer F extends readonly TypedFunction[] ? TypedStream<F> : UntypedStream;
  /** Starts a call that need not be waited for: it becomes a task, if the function allows that. */
  readonly start: FunctionsOf<A> extends infer F extends readonly TypedFunction[] ? TypedStart<F> : UntypedStart;
  /** The handle of a task that was started before, perhaps by another process: what JSON.stringify made of its handle. */
  readonly resume: FunctionsOf<A> extends infer F extends readonly TypedFunction[] ? TypedResume<F> : UntypedResume;
  /** Lists the functions. Throws a `Failure` if the server cannot be reached. */
  list(): Promise<readonly Callable[]>;
  close(): Promise<void>;
}

/** Structural instead of `A extends App`, since the app may come from another copy of this package. */
type FunctionsOf<A> = Exported<A> extends { readonly '~functions'?: infer F } ? NonNullable<F> : undefined;

/** A module may also export a promise of its app, or a function that returns it. */
type Exported<A> = A extends (...none: never) => infer Returned ? Awaited<Returned> : Awaited<A>;

// The default of `T` is computed once for each call; TypeScript would compute it at every place where it is named.

type TypedCall<F extends readonly TypedFunction[]> = <Name extends NameIn<F>, T extends AnyTypes = TypesOf<F, Name>>(
  name: Name,
  ...rest: Rest<T['input'], ClientCallOptions>
) => Promise<Outcome<T['output'], T['errorCode'] | Code>>;

type UntypedCall = (name: string, input?: unknown, options?: ClientCallOptions) => Promise<Outcome>;

type TypedStream<F extends readonly TypedFunction[]> = <Name extends NameIn<F>, T extends AnyTypes = TypesOf<F, Name>>(
  name: Name,
  ...rest: Rest<T['input'], ClientStreamOptions>
) => ChunkStream<T['chunk'], Outcome<T['output'], T['errorCode'] | Code>>;

type UntypedStream = (name: string, input?: unknown, options?: ClientStreamOptions) => ChunkStream<unknown, Outcome>;

type TypedStart<F extends readonly TypedFunction[]> = <Name extends NameIn<F>, T extends AnyTypes = TypesOf<F, Name>>(
  name: Name,
  ...rest: Rest<T['input'], ClientStartOptions>
) => Promise<TaskHandle<Outcome<T['output'], T['errorCode'] | Code>, Name>>;

type UntypedStart = (name: string, input?: unknown, options?: ClientStartOptions) => Promise<TaskHandle>;

type TypedResume<F extends readonly TypedFunction[]> = <Name extends NameIn<F>, T extends AnyTypes = TypesOf<F, Name>>(
  written: StartedTask<Name> | string,
) => TaskHandle<Outcome<T['output'], T['errorCode'] | Code>, Name>;

type UntypedResume = (written: StartedTask | string) => TaskHandle;

export interface ClientOptions {
  /**
   * The kind of address: an everywire server (`http`), an MCP endpoint (`mcp`) or an OpenAPI document (`openapi`). By
   * default guessed from the end of the path (`/mcp`, `.json`).
   */
  readonly wire?: 'http' | 'mcp' | 'openapi';
  /** Sent with every request to the origin of the address, such as Authorization, and to no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Who calls: a Bearer token, an API key, or a function that gets one of them. It is asked again after a 401, and the
   * request is then repeated once. Sent where the `headers` are sent.
   */
  readonly credentials?: ClientCredential | GetCredential;
  /** Other origins that receive the `headers`, such as the server that an OpenAPI document names. */
  readonly allowOrigins?: readonly string[];
  /**
   * How many bytes of a returned file may be in memory: 16 MiB by default. A larger file is received while its `stream()`
   * is read, which is possible once; its other methods fail. `Infinity`: every file is in memory.
   */
  readonly maxBufferedFile?: number;
  /** The global `fetch` by default. */
  readonly fetch?: typeof fetch;
}

/** Creates a client for an address, for an app in this process, or on top of an MCP client that is connected already. */
export function createClient<A extends AnyApp>(app: A): Client<A>;
export function createClient<A = unknown>(target: string | URL | McpClient, options?: ClientOptions): Client<A>;
export function createClient<A = unknown>(
  target: string | URL | McpClient | AnyApp,
  options: ClientOptions = {},
): Client<A> {
  if (!WIRES.has(options.wire)) throw new TypeError(`wire must be http, mcp or openapi, not ${String(options.wire)}`);
  const { maxBufferedFile = 0 } = options;
  if (typeof maxBufferedFile !== 'number' || !(maxBufferedFile >= 0))
    throw new TypeError(`maxBufferedFile must be a number of bytes, not ${String(maxBufferedFile)}`);
  checkCredentials(options);
  const connection = connect(target, options);
  const send = async (name: string, input: unknown, callOptions: ClientCallOptions, hooks?: StreamHooks) => {
    try {
      return await withTimeout(callOptions, (signal) => callToEnd(connection, name, input, callOptions, signal, hooks));
    } catch (thrown) {
      return fromThrown(thrown);
    }
  };
  const call: UntypedCall = async (name, input, callOptions = {}) => send(name, input, callOptions);
  const stream: UntypedStream = (name, input, { onProgress, ...callOptions } = {}) =>
    createChunkStream(async (push, left) => {
      const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, left]) : left;
      return send(
        name,
        input,
        { ...callOptions, signal },
        {
          push,
          onProgress: (progress) => safely(() => onProgress?.(progress)),
        },
      );
    });
  const start: UntypedStart = async (name, input, { idempotencyKey, ...limits } = {}) => {
    const terms = { wantsTask: true, idempotencyKey };
    const outcome = await withTimeout(limits, (signal) => connection.call(name, input, signal, undefined, terms)).catch(
      fromThrown,
    );
    const task = taskIn(outcome);
    return createTaskHandle(connection.tasks, { name, ...(task ? { taskId: task.taskId } : { outcome }) });
  };
  const resume: UntypedResume = (written) => createTaskHandle(connection.tasks, toStartedTask(written));
  return {
    call: call as never,
    stream: stream as never,
    start: start as never,
    resume: resume as never,
    list: async () => (await connection.list()).map(toPublic),
    close: () => connection.close(),
  };
}

/** An app, perhaps of another copy of this package. */
type AnyApp = Pick<App, 'respond' | 'operations'>;

/** Drops internal fields. */
function toPublic({ name, title, description, inputSchema }: Callable): Callable {
  return { name, ...(title !== undefined && { title }), description, inputSchema };
}

function connect(target: string | URL | McpClient | AnyApp, options: ClientOptions): Connection {
  if (isApp(target)) return connectApp(target);
  if (isMcpClient(target)) return connectMcp(async () => target);
  const url = addressOf(target as string | URL);
  const { wire = wireOf(url) } = options;
  if (wire === 'mcp') return connectMcp(async () => connectWithSdk(url, options));
  return wire === 'openapi' ? connectOpenApi(url, options) : connectHttp(url, options);
}

const WIRES = new Set<unknown>(['http', 'mcp', 'openapi', undefined]);

function addressOf(target: string | URL): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(`The address of a client must start with http:// or https://, not ${JSON.stringify(target)}`);
}

function wireOf({ pathname }: URL): NonNullable<ClientOptions['wire']> {
  if (/\/mcp\/?$/.test(pathname)) return 'mcp';
  return pathname.endsWith('.json') ? 'openapi' : 'http';
}

/** Loads the MCP SDK only if it is needed. */
async function connectWithSdk(url: URL, options: ClientOptions): Promise<McpClient> {
  const { dialMcp } = await import('./dial-mcp.ts');
  return dialMcp(url, options);
}
