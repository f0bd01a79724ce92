import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Limits } from '../../../core/limits.ts';
import { IdsUnderWay } from './ids-under-way.ts';
import { invalidRequest } from './invalid-request.ts';
import { createMcpServer } from './server.ts';
import type { McpShared } from './shared.ts';

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly ids: IdsUnderWay;
  lastUsed: number;
  /** Requests under way; a session that answers is not idle. */
  busy: number;
}

/** Connections of revision 2025-11-25 that are kept: bounded in number and in idle time. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly shared: McpShared,
    private readonly limits: Pick<Limits, 'sessions' | 'sessionIdle'>,
  ) {}

  /** Begins one with an initialize request. */
  async begin(request: Request, parsedBody: unknown): Promise<Response> {
    this.#makeRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, ids, lastUsed: Date.now(), busy: 0 }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the host has counted already
    });
    await createMcpServer(this.shared, { era: 'legacy', lasts: 'connection' }).connect(transport);
    const ids = new IdsUnderWay(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  /** Goes on with one; undefined when there is none of that name. */
  async go(id: string, request: Request, parsedBody: unknown): Promise<Response | undefined> {
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    session.lastUsed = Date.now();
    session.busy++;
    try {
      const options = parsedBody === undefined ? {} : { parsedBody };
      const handle = () => session.transport.handleRequest(request, options);
      return (
        (await session.ids.during(parsedBody, handle)) ??
        invalidRequest('a request with this id is under way', parsedBody)
      );
    } finally {
      session.busy--;
      session.lastUsed = Date.now();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ transport }) => transport.close()));
  }

  /** The longest idle goes first; its client begins anew when it is told 404. */
  #makeRoom(): void {
    this.#sweeper ??= startSweeping(() => this.#sweep(), this.limits.sessionIdle);
    if (this.#sessions.size < this.limits.sessions) return;
    const idlest = [...this.#sessions].toSorted(([, a], [, b]) => a.busy - b.busy || a.lastUsed - b.lastUsed)[0];
    if (idlest) this.#end(...idlest);
  }

  #sweep(): void {
    const oldest = Date.now() - this.limits.sessionIdle;
    for (const [id, session] of this.#sessions)
      if (session.busy === 0 && session.lastUsed < oldest) this.#end(id, session);
  }

  #end(id: string, { transport }: Session): void {
    this.#sessions.delete(id);
    void transport.close().catch(() => {});
  }
}

function startSweeping(sweep: () => void, idle: number): ReturnType<typeof setInterval> {
  const timer = setInterval(sweep, Math.max(1000, idle / 4));
  (timer as { unref?: () => void }).unref?.(); // must not keep a process alive
  return timer;
}
