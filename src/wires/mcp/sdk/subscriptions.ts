import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { App } from '../../../app/app.ts';
import { isRecord } from '../../../schema/json-schema.ts';

/** An address longer than this can be read, but not be kept. */
const LONGEST = 2048;

/** The resources whose changes a connection wants to hear of: only such as exist, and bounded. */
export class Subscriptions {
  readonly #uris = new Set<string>();

  constructor(private readonly app: App) {}

  /** Throws what is wrong with it. */
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

/** The addresses in a `subscriptions/listen`, which are kept as long as it listens. Throws what is wrong with them. */
export function addressesIn(app: App, { params }: Readonly<Record<string, unknown>>): readonly string[] {
  const wanted = isRecord(params) && isRecord(params['notifications']) ? params['notifications'] : {};
  const uris = wanted['resourceSubscriptions'];
  // What is no list of strings is the SDK's to refuse.
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return [];
  checkAddresses(app, uris);
  return uris;
}

function checkAddresses(app: App, uris: readonly string[], before = 0): void {
  const { subscriptions } = app.limits;
  if (before + uris.length > subscriptions)
    throw new ProtocolError(-32603, `At most ${subscriptions} subscriptions at once`, { code: 'UNAVAILABLE' });
  for (const uri of uris) {
    if (uri.length > LONGEST)
      throw new ProtocolError(-32602, `A subscription's address has at most ${LONGEST} characters`);
    if (!app.resources.locate(uri)) throw new ResourceNotFoundError(uri);
  }
}
