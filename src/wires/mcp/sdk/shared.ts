import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { Offer } from '../catalog.ts';
import type { ReadAhead } from './read-ahead.ts';

/** What the caller keeps for us between the rounds of one call. */
export interface Kept {
  readonly answers: Readonly<Record<string, unknown>>;
  /** The fingerprint of the call that asked: answers to one question must not answer another. */
  readonly call: string;
}

/** What every official server of an app shares. */
export interface McpShared extends Offer {
  readonly codec: RequestStateCodec<Kept>;
  /** The streams that answer requests over HTTP. */
  readonly unread: WeakMap<Request, Pick<ReadAhead, 'isBehind'>>;
}

export function createShared(offer: Offer): McpShared {
  const key = offer.app.secret ?? crypto.getRandomValues(new Uint8Array(32));
  return { ...offer, codec: createRequestStateCodec<Kept>({ key }), unread: new WeakMap() };
}
