import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import type { Limits } from '../../../core/limits.ts';
import { idOf, invalidRequest } from '../jsonrpc.ts';
import { PendingIds } from './pending-ids.ts';
import { whenClosed } from '../../when-closed.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

interface Session {
  readonly transport: Transport;
  readonly ids: PendingIds;
  /** Who uses it: nobody else may. Empty until a caller is recognised. */
  owner: string;
  lastUsed: number;
  /** Responses that have not ended: of running calls, and the stream of a client that listens. */
  openResponses: number;
}

/** Sessions of the legacy revisions, limited in number and in idle time. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  /** Handshakes in progress, which may become sessions. */
  #handshakes = 0;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly createServer: () => Server,
    private readonly limits: Pick<Limits, 'sessions' | 'sessionIdle'>,
  ) {}

  /** Opens a session with an initialize request; undefined if there are too many, and all of them are in use. */
  async open(request: Request, parsedBody: unknown, owner: string): Promise<Response | undefined> {
    if (!this.#makeRoom()) return undefined;
    this.#handshakes++;
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) =>
        void this.#sessions.set(id, { transport, ids, owner, lastUsed: Date.now(), openResponses: 0 }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the host has limited the body already
    });
    const ids = new PendingIds(transport);
    try {
      await this.createServer().connect(transport);
      ids.watch();
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      this.#handshakes--;
      // The transport rejected the handshake. The server listens for changes already, and nothing else would close it.
      if (transport.sessionId === undefined) await transport.close();
    }
  }

  /** Handles a request in a session; undefined if there is no such session. */
  async handle(id: string, request: Request, parsedBody: unknown, owner: string): Promise<Response | undefined> {
    const session = this.#sessions.get(id);
    if (!session || (session.owner !== '' && session.owner !== owner)) return undefined;
    // A client may open a session first, and authenticate when a call is refused.
    session.owner = owner;
    const { transport, ids } = session;
    session.lastUsed = Date.now();
    session.openResponses++;
    const onClosed = () => {
      session.openResponses--;
      session.lastUsed = Date.now();
    };
    try {
      const options = parsedBody === undefined ? {} : { parsedBody };
      const response = await ids.during(parsedBody, () => transport.handleRequest(request, options));
      return whenClosed(response ?? idInUse(parsedBody), onClosed);
    } catch (thrown) {
      onClosed();
      throw thrown;
    }
  }

  /** Ends the streams of clients that only listen. */
  endListening(): void {
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ transport }) => transport.close()));
  }

  /** Ends the session that is idle for longest. Its client gets 404 and opens another. One in use is never ended. */
  #makeRoom(): boolean {
    this.#sweeper ??= startSweeping(() => this.#sweep(), this.limits.sessionIdle);
    if (this.#sessions.size + this.#handshakes < this.limits.sessions) return true;
    let idlest: [string, Session] | undefined;
    for (const entry of this.#sessions)
      if (entry[1].openResponses === 0 && !(idlest && idlest[1].lastUsed <= entry[1].lastUsed)) idlest = entry;
    if (idlest) this.#end(...idlest);
    return idlest !== undefined;
  }

  #sweep(): void {
    const oldest = Date.now() - this.limits.sessionIdle;
    for (const [id, session] of this.#sessions)
      if (session.openResponses === 0 && session.lastUsed < oldest) this.#end(id, session);
  }

  #end(id: string, { transport }: Session): void {
    this.#sessions.delete(id);
    void transport.close().catch(() => {}); // the session is gone, even if closing it fails
  }
}

const idInUse = (body: unknown) =>
  Response.json(invalidRequest(idOf(body), 'another request with this id is pending'), { status: 400 });

function startSweeping(sweep: () => void, idle: number): ReturnType<typeof setInterval> {
  const timer = setInterval(sweep, Math.max(1000, idle / 4));
  (timer as { unref?: () => void }).unref?.(); // must not keep a process alive
  return timer;
}
