import type { Readable, Writable } from 'node:stream';
import type { App } from '../../app.ts';
import { Conversation } from './conversation.ts';
import { Lines } from './lines.ts';
import { createOffer } from './offer.ts';
import type { OfferOptions } from './offer.ts';

/** An app on stdio. */
export interface McpStdio {
  /** Ends when the input has, and what was asked by then is answered. */
  readonly ended: Promise<void>;
  /** Takes nothing new, and lets calls under way end. */
  drain(): Promise<void>;
}

export function serveMcpStdio(app: App, input: Readable, output: Writable, options: OfferOptions): McpStdio {
  const lines = new Lines(input, output, app.limits);
  new Conversation(createOffer(app, 'mcp-stdio', options), lines).start();
  return { ended: lines.ended, drain: () => lines.finish() };
}
