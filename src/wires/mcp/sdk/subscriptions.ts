import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { App } from '../../../app/app.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import { INTERNAL_ERROR, INVALID_PARAMS } from '../jsonrpc.ts';

/** Longer addresses can be read but not subscribed to, since subscriptions stay in memory. */
const MAX_ADDRESS = 2048;

/** Where the subscriptions of a session are kept for all processes. */
export interface SharedSubscriptions {
  /** Returns false if there are too many. */
  add(uri: string): Promise<boolean>;
  delete(uri: string): Promise<void>;
  read(): Promise<readonly string[]>;
}

/**
 * The resources that a connection is subscribed to. They exist, and their number is limited. If other processes have copies
 * of the session, only the one where its client listens needs to know them.
 */
export class Subscriptions {
  #uris = new Set<string>();
  #isListening: boolean;
  /** What changes while they are read. */
  #meanwhile: [uri: string, isAdded: boolean][] | undefined;
  /** How often they are being read. */
  #reading = 0;

  constructor(
    private readonly app: App,
    private readonly shared?: SharedSubscriptions,
  ) {
    this.#isListening = !shared;
  }

  /** Throws if the address cannot be subscribed to. */
  check(uri: string): void {
    checkAddresses(this.app, [uri], this.shared || this.#uris.has(uri) ? 0 : this.#uris.size);
  }

  async add(uri: string): Promise<void> {
    this.check(uri);
    if (this.shared && !(await this.shared.add(uri))) throw tooMany(this.app);
    this.note(uri, true);
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  async delete(uri: string): Promise<void> {
    await this.shared?.delete(uri);
    this.note(uri, false);
  }

  /** Notes what has changed here or in another process. */
  note(uri: string, isAdded: boolean): void {
    if (!this.#isListening) return;
    this.#meanwhile?.push([uri, isAdded]);
    this.#apply(uri, isAdded);
  }

  #apply(uri: string, isAdded: boolean): void {
    if (isAdded) this.#uris.add(uri);
    else this.#uris.delete(uri);
  }

  /** The client listens in this process. Also to be called if changes may have been missed. */
  async listen(): Promise<void> {
    if (!this.shared) return;
    this.#isListening = true;
    const meanwhile = (this.#meanwhile ??= []);
    this.#reading++;
    try {
      this.#uris = new Set(await this.shared.read());
      for (const [uri, isAdded] of meanwhile) this.#apply(uri, isAdded);
    } finally {
      if (--this.#reading === 0) this.#meanwhile = undefined;
    }
  }

  endListening(): void {
    if (!this.shared) return;
    this.#isListening = false;
    this.#uris.clear();
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
  if (existing + uris.length > subscriptions) throw tooMany(app);
  for (const uri of uris) {
    if (uri.length > MAX_ADDRESS)
      throw new ProtocolError(INVALID_PARAMS, `A subscription's address has at most ${MAX_ADDRESS} characters`);
    if (!app.resources.locate(uri)) throw new ResourceNotFoundError(uri);
  }
}

const tooMany = ({ limits }: App) =>
  new ProtocolError(INTERNAL_ERROR, `At most ${limits.subscriptions} subscriptions at once`, { code: 'UNAVAILABLE' });
