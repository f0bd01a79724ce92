import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Limits } from '../../../core/limits.ts';
import { idOf, invalidRequest } from '../jsonrpc.ts';
import { IdsUnderWay } from './pending-ids.ts';
import { createMcpServer } from './server.ts';
import type { McpShared } from './shared.ts';
import { whenEnded } from './when-closed.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

interface Session {
  readonly transport: Transport;
  readonly ids: IdsUnderWay;
  lastUsed: number;
  /** Responses that have not ended: calls under way, and the stream of a client that listens. */
  open: number;
}

/** Connections of revision 2025-11-25 that are kept: bounded in number and in idle time. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  /** Handshakes under way, which may become sessions. */
  #beginning = 0;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly shared: McpShared,
    private readonly limits: Pick<Limits, 'sessions' | 'sessionIdle'>,
  ) {}

  /** Begins one with an initialize request; undefined when there are too many, and all of them in use. */
  async begin(request: Request, parsedBody: unknown): Promise<Response | undefined> {
    if (!this.#makeRoom()) return undefined;
    this.#beginning++;
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, ids, lastUsed: Date.now(), open: 0 }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the host has counted already
    });
    const ids = new IdsUnderWay(transport);
    const server = createMcpServer(this.shared, { era: 'legacy', lasts: 'connection' });
    try {
      await server.connect(transport);
      ids.watch();
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      this.#beginning--;
      // The transport refused the handshake: the server listens already, and nobody else would ever close it.
      if (transport.sessionId === undefined) await transport.close();
    }
  }

  /** Goes on with one; undefined when there is none of that name. */
  async go(id: string, request: Request, parsedBody: unknown): Promise<Response | undefined> {
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    const { transport, ids } = session;
    session.lastUsed = Date.now();
    session.open++;
    const ended = () => {
      session.open--;
      session.lastUsed = Date.now();
    };
    try {
      const options = parsedBody === undefined ? {} : { parsedBody };
      const response = await ids.during(parsedBody, () => transport.handleRequest(request, options));
      return whenEnded(response ?? idInUse(parsedBody), ended);
    } catch (thrown) {
      ended();
      throw thrown;
    }
  }

  /** Ends the streams of clients that only listen. */
  endListening(): void {
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ transport }) => transport.close()));
  }

  /** The longest idle goes first; its client begins anew when it is told 404. One that is in use is never ended. */
  #makeRoom(): boolean {
    this.#sweeper ??= startSweeping(() => this.#sweep(), this.limits.sessionIdle);
    if (this.#sessions.size + this.#beginning < this.limits.sessions) return true;
    let idlest: [string, Session] | undefined;
    for (const entry of this.#sessions)
      if (entry[1].open === 0 && !(idlest && idlest[1].lastUsed <= entry[1].lastUsed)) idlest = entry;
    if (idlest) this.#end(...idlest);
    return idlest !== undefined;
  }

  #sweep(): void {
    const oldest = Date.now() - this.limits.sessionIdle;
    for (const [id, session] of this.#sessions)
      if (session.open === 0 && session.lastUsed < oldest) this.#end(id, session);
  }

  #end(id: string, { transport }: Session): void {
    this.#sessions.delete(id);
    void transport.close().catch(() => {}); // it is forgotten, whatever closing it says
  }
}

const idInUse = (body: unknown) =>
  Response.json(invalidRequest(idOf(body), 'a request with this id is under way'), { status: 400 });

function startSweeping(sweep: () => void, idle: number): ReturnType<typeof setInterval> {
  const timer = setInterval(sweep, Math.max(1000, idle / 4));
  (timer as { unref?: () => void }).unref?.(); // must not keep a process alive
  return timer;
}
