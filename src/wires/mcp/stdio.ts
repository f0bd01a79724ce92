import type { Readable, Writable } from 'node:stream';
import type { App } from '../../app/app.ts';
import { Conversation } from './stdio-session.ts';
import { Lines } from './line-transport.ts';
import type { Ending } from './line-transport.ts';
import { createOffer } from './catalog.ts';
import type { OfferOptions } from './catalog.ts';

/** An app on stdio. */
export interface McpStdio {
  /** Ends when the input has, or after `drain`, and what was asked by then is answered. */
  readonly ended: Promise<Ending>;
  /** Takes nothing new, and lets calls under way end. */
  drain(): Promise<void>;
}

export interface McpStdioOptions extends OfferOptions {
  /** Told what went wrong in the server itself; whoever asked is answered with an internal error. */
  readonly onError?: ((thrown: unknown) => void) | undefined;
}

export function serveMcpStdio(
  app: App,
  input: Readable,
  output: Writable,
  { onError = () => {}, ...options }: McpStdioOptions,
): McpStdio {
  const lines = new Lines(input, output, app.limits);
  new Conversation(createOffer(app, 'mcp-stdio', options), lines, onError).start();
  return { ended: lines.ended, drain: () => lines.finish() };
}
