import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { App } from '../../../app/app.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import { INTERNAL_ERROR, INVALID_PARAMS } from '../jsonrpc.ts';

/** Longer addresses can be read but not subscribed to, since subscriptions stay in memory. */
const MAX_ADDRESS = 2048;

/** The resources that a connection is subscribed to. They exist, and their number is limited. */
export class Subscriptions {
  readonly #uris = new Set<string>();

  constructor(private readonly app: App) {}

  /** Throws if the address cannot be subscribed to. */
  check(uri: string): void {
    checkAddresses(this.app, [uri], this.#uris.has(uri) ? 0 : this.#uris.size);
  }

  add(uri: string): void {
    this.check(uri);
    this.#uris.add(uri);
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  delete(uri: string): void {
    this.#uris.delete(uri);
  }
}

/** The addresses in a `subscriptions/listen` request. Throws if one of them cannot be subscribed to. */
export function addressesIn(app: App, { params }: Readonly<Record<string, unknown>>): readonly string[] {
  const filter = isRecord(params) && isRecord(params['notifications']) ? params['notifications'] : {};
  const uris = filter['resourceSubscriptions'];
  // The SDK rejects anything but a list of strings.
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return [];
  checkAddresses(app, uris);
  return uris;
}

function checkAddresses(app: App, uris: readonly string[], existing = 0): void {
  const { subscriptions } = app.limits;
  if (existing + uris.length > subscriptions)
    throw new ProtocolError(INTERNAL_ERROR, `At most ${subscriptions} subscriptions at once`, { code: 'UNAVAILABLE' });
  for (const uri of uris) {
    if (uri.length > MAX_ADDRESS)
      throw new ProtocolError(INVALID_PARAMS, `A subscription's address has at most ${MAX_ADDRESS} characters`);
    if (!app.resources.locate(uri)) throw new ResourceNotFoundError(uri);
  }
}
