import type { App } from '../app/app.ts';
import type { EmbedOptions } from '../app/embed-options.ts';
import { isStreamType } from '../wires/http/stream-type.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { RecentlyUsed } from '../wires/recently-used.ts';
import { whenClosed } from '../wires/when-closed.ts';
import { createEmbeddedWire } from './embedded-wire.ts';

/** How many different options are remembered: they may depend on the request, such as the variables of a tenant. */
const MOST = 16;

interface Kept {
  readonly wire: HttpWire;
  inUse: number;
  isDropped: boolean;
}

/** The wires of an app by their options, compared by content: handlers often write them down for each request. */
export class EmbeddedWires {
  readonly #kept = new RecentlyUsed<Kept>(MOST, (dropped) => {
    dropped.isDropped = true;
    this.#closeUnused(dropped);
  });
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;

  constructor(private readonly app: App) {}

  async use(options: EmbedOptions, respond: (wire: HttpWire) => Promise<Response>): Promise<Response> {
    const kept = this.#kept.get(this.#keyOf(options), () => ({
      wire: createEmbeddedWire(this.app, options),
      inUse: 0,
      isDropped: false,
    }));
    kept.inUse++;
    const release = () => {
      kept.inUse--;
      this.#closeUnused(kept);
    };
    try {
      const response = await respond(kept.wire);
      if (isStreamType(response.headers.get('content-type'))) return whenClosed(response, release);
      release();
      return response;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Ends the sessions of a wire that is no longer reachable, but no running call. */
  #closeUnused({ wire, inUse, isDropped }: Kept): void {
    if (!isDropped || inUse > 0) return;
    wire.close().catch((thrown: unknown) => this.app.reportError(thrown, { part: 'mcp' }));
  }

  #keyOf({ environment, hosts, cors, stateless }: EmbedOptions): string {
    if (!environment && !hosts && !cors && !stateless) return '';
    return JSON.stringify([environment?.env, this.#idOf(environment?.files), hosts, cors, stateless]);
  }

  #idOf(object: object | undefined): number {
    if (!object) return 0;
    const id = this.#ids.get(object) ?? ++this.#lastId;
    this.#ids.set(object, id);
    return id;
  }
}
