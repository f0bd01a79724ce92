import type { Readable, Writable } from 'node:stream';
import type { App } from '../../app/app.ts';
import { createCatalog } from './catalog.ts';
import type { CatalogOptions } from './catalog.ts';
import { LineTransport } from './line-transport.ts';
import type { Ending } from './line-transport.ts';
import { StdioSession } from './stdio-session.ts';

/** An app on stdio. */
export interface McpStdio {
  /** Resolves after the end of the input or `drain`, once all pending requests have a response. */
  readonly ended: Promise<Ending>;
  /** Accepts no new requests, and lets running calls end. */
  drain(): Promise<void>;
}

export interface McpStdioOptions extends CatalogOptions {
  /** Receives faults of the server itself; the client gets an internal error. */
  readonly onError?: ((thrown: unknown) => void) | undefined;
}

/** The client has started this process. */
const CLIENT = { wire: 'mcp-stdio', isLocal: true };

export function serveMcpStdio(
  app: App,
  input: Readable,
  output: Writable,
  { onError = () => {}, ...options }: McpStdioOptions,
): McpStdio {
  const transport = new LineTransport(input, output, app.limits);
  new StdioSession(createCatalog(app, CLIENT, options), transport, onError).start();
  return { ended: transport.ended, drain: () => transport.finish() };
}
