import type { ErrorCodeOf, InputOf, NameIn, OutputOf, Rest, TypedFunction } from '../app/call-types.ts';
import { Failure } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import { fromThrown } from '../responses/outcome-tools.ts';
import type { Callable, ClientCallOptions, Connection } from './connection.ts';
import { connectHttp } from './http-connection.ts';
import { connectMcp, isMcpClient } from './mcp-connection.ts';
import type { McpClient } from './mcp-connection.ts';
import { connectOpenApi } from './openapi-connection.ts';
import { withinTime } from './with-timeout.ts';

export type { Callable, ClientCallOptions } from './connection.ts';
export type { McpClient } from './mcp-connection.ts';

/** Calls functions that are served elsewhere. With the type of an app it knows its functions; without, any name goes. */
export interface Client<A = unknown> {
  readonly call: FunctionsOf<A> extends infer F extends readonly TypedFunction[] ? TypedCall<F> : UntypedCall;
  /** What there is to call. Throws a `Failure` when the server cannot be asked. */
  list(): Promise<readonly Callable[]>;
  close(): Promise<void>;
}

/** Not `A extends App`: the app may be of another copy of this package, whose classes and symbols are not ours. */
type FunctionsOf<A> = A extends { readonly '~functions'?: infer F } ? NonNullable<F> : undefined;

type TypedCall<F extends readonly TypedFunction[]> = <Name extends NameIn<F>>(
  name: Name,
  ...rest: Rest<InputOf<F, Name>, ClientCallOptions>
) => Promise<Outcome<OutputOf<F, Name>, ErrorCodeOf<F, Name>>>;

type UntypedCall = (name: string, input?: unknown, options?: ClientCallOptions) => Promise<Outcome>;

export interface ClientOptions {
  /**
   * What the address is: an everywire server (`http`), an MCP endpoint (`mcp`) or an OpenAPI document (`openapi`).
   * Guessed from how it ends (`/mcp`, `.json`) unless given.
   */
  readonly wire?: 'http' | 'mcp' | 'openapi';
  /** Sent with every request over HTTP to the origin of the address, such as an Authorization, and to no other. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further origins that get the `headers`: `https://api.example`, where the document at the address names that server. */
  readonly allowOrigins?: readonly string[];
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}

/** Reaches an app by its address, or through an MCP client that is connected to it already. */
export function createClient<A = unknown>(target: string | URL | McpClient, options: ClientOptions = {}): Client<A> {
  if (!WIRES.has(options.wire)) throw new TypeError(`wire must be http, mcp or openapi, not ${String(options.wire)}`);
  const connection = connect(target, options);
  const call: UntypedCall = async (name, input, callOptions = {}) => {
    try {
      return await withinTime(callOptions, (signal) => connection.call(name, input, signal));
    } catch (thrown) {
      return fromThrown(thrown);
    }
  };
  return {
    call: call as never,
    list: async () => (await connection.list()).map(facts),
    close: () => connection.close(),
  };
}

/** A connection knows more of a function than is anybody's business. */
function facts({ name, title, description, inputSchema }: Callable): Callable {
  return { name, ...(title !== undefined && { title }), description, inputSchema };
}

function connect(target: string | URL | McpClient, options: ClientOptions): Connection {
  if (isMcpClient(target)) return connectMcp(async () => target);
  const url = addressOf(target);
  const { wire = wireOf(url) } = options;
  if (wire === 'mcp') return connectMcp(async () => dial(url, options));
  return wire === 'openapi' ? connectOpenApi(url, options) : connectHttp(url, options);
}

const WIRES = new Set<unknown>(['http', 'mcp', 'openapi', undefined]);

function addressOf(target: string | URL): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(`A client needs an address that begins with http:// or https://, not ${JSON.stringify(target)}`);
}

function wireOf({ pathname }: URL): NonNullable<ClientOptions['wire']> {
  if (/\/mcp\/?$/.test(pathname)) return 'mcp';
  return pathname.endsWith('.json') ? 'openapi' : 'http';
}

/** The official client, which is loaded only by those who speak MCP. */
async function dial(url: URL, options: ClientOptions): Promise<McpClient> {
  const { dialMcp } = await import('./dial-mcp.ts').catch(() => {
    throw new Failure('UNAVAILABLE', 'MCP needs a package: npm install @modelcontextprotocol/client', { retry: false });
  });
  return dialMcp(url, options);
}
