import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveHalfClosed } from '../../hosts/half-closed.ts';
import { isOver, isOverfull, whenOver } from '../../hosts/when-over.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import type { Absence } from './answer-unavailable.ts';
import { Listener, mayListen } from './listener.ts';
import { passCall } from './pass-call.ts';
import { MAX_HEADER_SIZE } from './passed-on.ts';
import type { VersionProcess } from './version-process.ts';

/** Milliseconds before a process that is alive is asked again to take a connection. */
const RETRY = 100;
/** Milliseconds that a call waits for a version: one that never finishes loading must not keep callers for ever. */
const MAX_WAIT = 30_000;
const LOADING: Absence = { message: 'The app is still loading', retryAfter: 5 };

/**
 * Takes the requests of all clients, and passes each to the newest version. So connections outlive versions: unlike with
 * `serve --workers`, no request reaches old code because it comes on an old connection. While there is no version, requests wait,
 * unless it is known that none is coming. That is all that it answers itself.
 */
export class DevFront {
  readonly #server = createServer({ maxHeaderSize: MAX_HEADER_SIZE, requireHostHeader: false });
  readonly #listeners = new Set<Listener>();
  #version: VersionProcess | undefined;
  #absence: Absence | undefined;
  readonly #waitingCalls = new Set<(version?: VersionProcess) => void>();
  #waitingListeners: ((version: VersionProcess) => void)[] = [];

  constructor() {
    const accept = (request: IncomingMessage, response: ServerResponse) => void this.#accept(request, response);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) this.#server.on(event, accept);
    serveHalfClosed(this.#server);
  }

  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        // Such as too many open files, when a connection is accepted.
        this.#server.off('error', reject).on('error', () => {});
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** MCP clients that are notified of changes. */
  get listening(): number {
    return [...this.#listeners].filter(({ isListening }) => isListening).length;
  }

  /** Passes everything that comes from now on to this version. Resolves when it has all listeners. */
  async use(version: VersionProcess): Promise<void> {
    this.#version = version;
    this.#absence = undefined;
    for (const go of [...this.#waitingCalls, ...this.#waitingListeners.splice(0)]) go(version);
    await Promise.all([...this.#listeners].map((one) => this.#attach(one, version)));
  }

  /** Until there is a version, calls are answered with this: those that wait, and those to come. MCP clients go on listening. */
  suspend(absence: Absence): void {
    this.#version = undefined;
    this.#absence = absence;
    for (const go of this.#waitingCalls) go();
  }

  /** Ends all connections, and what is under way on them. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isOverfull(request, response)) return;
    if (mayListen(request)) return this.#listen(request, response);
    while (!isOver(request, response)) {
      const version = this.#version ?? (await this.#nextForCall());
      if (!version) return answerUnavailable(request, response, this.#absence ?? LOADING);
      // A page that watches must not keep an old version alive: it connects again.
      const endCall = isWatching(request) ? () => {} : version.beginCall();
      const socket = await this.#connect(version, request.socket);
      if (socket) await passCall(request, response, socket);
      endCall();
      if (socket) return;
    }
  }

  async #listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const listener = new Listener(request, response);
    const version = this.#version ?? (await this.#nextForListener());
    this.#listeners.add(listener);
    // At once if the client has disconnected meanwhile.
    whenOver(request, response, () => this.#listeners.delete(listener));
    await this.#attach(listener, version);
  }

  /** Tries again with the next version if the process of this one ends. */
  async #attach(listener: Listener, version: VersionProcess): Promise<void> {
    const onLost = () => void this.#reattach(listener, version);
    try {
      await listener.attach(version, onLost);
    } catch {
      // The process did not take the connection, which is no error: it has ended, or is busy.
      onLost();
    }
  }

  async #reattach(listener: Listener, lost: VersionProcess): Promise<void> {
    await this.#lose(lost);
    // The next version may have it already.
    if (listener.version !== lost || !this.#listeners.has(listener)) return;
    if (this.#version) await this.#attach(listener, this.#version);
  }

  async #connect(version: VersionProcess, client: Socket): Promise<Socket | undefined> {
    try {
      return await version.connect(client);
    } catch {
      await this.#lose(version);
      return undefined;
    }
  }

  /** Its process did not take a connection. If it has ended, who waits is served by the next version; or else tries again. */
  async #lose(version: VersionProcess): Promise<void> {
    await Promise.race([version.ended, sleep(RETRY)]);
    if (version.hasEnded && this.#version === version) this.#version = undefined;
  }

  /** Undefined if there is none. */
  async #nextForCall(): Promise<VersionProcess | undefined> {
    if (this.#absence) return undefined;
    return new Promise((resolve) => {
      const go = (version?: VersionProcess) => {
        clearTimeout(timer);
        this.#waitingCalls.delete(go);
        resolve(version);
      };
      const timer = setTimeout(go, MAX_WAIT);
      this.#waitingCalls.add(go);
    });
  }

  #nextForListener(): Promise<VersionProcess> {
    return new Promise((resolve) => void this.#waitingListeners.push(resolve));
  }
}

const isWatching = ({ url = '' }: IncomingMessage) => url.startsWith('/console/api/events');
