import type { InitializeRequest, Server } from '@modelcontextprotocol/server';
import type { App } from '../../../app/app.ts';
import { Session } from './session.ts';
import { SharedSessions, toStored } from './shared-sessions.ts';
import type { SessionEvent } from './shared-sessions.ts';
import { Subscriptions } from './subscriptions.ts';

/** There is no such session; too many are in use; or the handshake is too large to be shared. */
export type SessionRefusal = 'unknown' | 'full' | 'too-large';

/**
 * Sessions of the legacy revisions, limited in number and in idle time. If the app has a store, these are copies of sessions
 * that all its processes share: ending a copy does not end the session.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #shared: SharedSessions | undefined;
  /** Copies that are being made. */
  readonly #restored = new Map<string, Promise<Session | 'full'>>();
  /** Handshakes in progress, which may become sessions. */
  #handshakes = 0;
  /** A handshake that ends afterwards adds no session. */
  #isClosed = false;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly createServer: (subscriptions: Subscriptions) => Server,
    private readonly app: App,
  ) {
    const { share, limits } = app;
    const onEvent = (id: string, event: SessionEvent) => this.#onEvent(this.#sessions.get(id), event);
    if (share.isOn) this.#shared = new SharedSessions(share, limits, { onEvent, onMissed: () => this.#onMissed() });
  }

  /** Opens a session with an initialize request. */
  async open(request: Request, parsedBody: InitializeRequest, owner: string): Promise<Response | SessionRefusal> {
    const stored = this.#shared && toStored(parsedBody.params);
    if (this.#shared && stored === undefined) return 'too-large';
    if (!this.#makeRoom()) return 'full';
    const session = this.#create(crypto.randomUUID());
    session.owner = owner;
    return this.#connect(session, async () => {
      const response = await session.initialize(request, parsedBody);
      if (session.isOpen && stored !== undefined) await this.#shared?.create(session.id, stored, owner);
      return response;
    });
  }

  /** Handles a request in a session. */
  async handle(id: string, request: Request, parsedBody: unknown, owner: string): Promise<Response | SessionRefusal> {
    const session = await (this.#shared
      ? this.#findShared(this.#shared, id, request, parsedBody, owner)
      : this.#find(id, owner));
    return typeof session === 'string' ? session : session.handle(request, parsedBody);
  }

  /** Ends the streams of clients that only listen. */
  endListening(): void {
    for (const session of this.#sessions.values()) session.closeListener();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    this.#shared?.close();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  #find(id: string, owner: string): Session | 'unknown' {
    const session = this.#sessions.get(id);
    if (!session || (session.owner !== '' && session.owner !== owner)) return 'unknown';
    // A client may open a session first, and authenticate when a call is refused.
    session.owner = owner;
    return session;
  }

  async #findShared(
    shared: SharedSessions,
    id: string,
    { method }: Request,
    body: unknown,
    owner: string,
  ): Promise<Session | SessionRefusal> {
    const used = await shared.use(id, owner, body);
    if (!used) return 'unknown';
    const session = this.#sessions.get(id) ?? (await this.#restore(id, used.initialize));
    if (session === 'full') return session;
    await session.setLevel(used.level);
    // A client listens in one process. It may have lost its connection to another, which does not know that yet.
    if (method === 'GET') await shared.tell(id, { kind: 'listens' });
    return session;
  }

  /** Makes a copy of a session that was opened in another process. */
  #restore(id: string, params: unknown): Promise<Session | 'full'> {
    let restored = this.#restored.get(id);
    if (!restored) {
      restored = this.#copy(id, params).finally(() => this.#restored.delete(id));
      this.#restored.set(id, restored);
    }
    return restored;
  }

  async #copy(id: string, params: unknown): Promise<Session | 'full'> {
    if (!this.#makeRoom()) return 'full';
    const session = this.#create(id);
    await this.#connect(session, () => session.restore(params));
    return session;
  }

  #create(id: string): Session {
    const shared = this.#shared;
    return new Session({
      id,
      subscriptions: new Subscriptions(this.app, shared?.subscriptionsOf(id)),
      place: shared?.placeOf(id),
      onEnd: () => {
        this.#sessions.delete(id);
        return shared?.end(id);
      },
    });
  }

  /** Adds a session if its handshake succeeds. */
  async #connect<T>(session: Session, handshake: () => Promise<T>): Promise<T> {
    this.#handshakes++;
    try {
      await session.connect(this.createServer(session.subscriptions));
      const result = await handshake();
      if (session.isOpen && !this.#isClosed) this.#sessions.set(session.id, session);
      return result;
    } finally {
      this.#handshakes--;
      // The server listens for changes already, and nothing else would close it.
      if (this.#sessions.get(session.id) !== session) await session.close();
    }
  }

  #onEvent(session: Session | undefined, event: SessionEvent): void {
    if (!session) return;
    if (event.kind === 'message') session.receive(event.message);
    else if (event.kind === 'ended') this.#end(session);
    else if (event.kind === 'listens') session.closeListener();
    else session.subscriptions.note(event.uri, event.kind === 'subscribed');
  }

  #onMissed(): void {
    for (const session of this.#sessions.values())
      if (session.isListening) session.subscriptions.listen().catch(() => {}); // the reason is in the log
  }

  /** Ends the session that is idle for longest. Its client gets 404 and opens another. One in use is never ended. */
  #makeRoom(): boolean {
    this.#sweeper ??= startSweeping(() => this.#sweep(), this.app.limits.sessionIdle);
    if (this.#sessions.size + this.#handshakes < this.app.limits.sessions) return true;
    let idlest: Session | undefined;
    for (const session of this.#sessions.values())
      if (session.openResponses === 0 && !(idlest && idlest.lastUsed <= session.lastUsed)) idlest = session;
    if (idlest) this.#end(idlest);
    return idlest !== undefined;
  }

  #sweep(): void {
    const oldest = Date.now() - this.app.limits.sessionIdle;
    for (const session of this.#sessions.values())
      if (session.openResponses > 0) void this.#shared?.keep(session.id).catch(() => {}); // the reason is in the log
      else if (session.lastUsed < oldest) this.#end(session);
  }

  #end(session: Session): void {
    this.#sessions.delete(session.id);
    void session.close().catch(() => {}); // the session is gone, even if closing it fails
  }
}

function startSweeping(sweep: () => void, idle: number): ReturnType<typeof setInterval> {
  const timer = setInterval(sweep, Math.max(1000, idle / 4));
  (timer as { unref?: () => void }).unref?.(); // must not keep a process alive
  return timer;
}
