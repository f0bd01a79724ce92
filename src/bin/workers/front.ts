import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { WorkerProcess } from './worker-process.ts';

/** Connections that wait for a process. They cost a descriptor each, so further ones are closed. */
const MAX_WAITING = 10_000;

/** Milliseconds that waiting connections have to be taken when the server stops. */
const CLOSING_TIME = 500;

/**
 * Accepts connections, and hands each to the next process that has taken its last one. A connection stays open here until it has
 * arrived: if a process dies before that, another one gets it. node:cluster leaves such a connection hanging for ever, and closes
 * the port while no process is there.
 */
export class Front {
  readonly #server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => this.#accept(socket));
  readonly #waiting: Socket[] = [];
  readonly #takers = new Set<WorkerProcess>();
  readonly #free: WorkerProcess[] = [];
  /** Sent, but perhaps not arrived. */
  readonly #sent = new Map<WorkerProcess, Socket>();

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

  add(worker: WorkerProcess): void {
    if (this.#takers.has(worker) || !worker.isConnected) return;
    this.#takers.add(worker);
    this.#free.push(worker);
    worker.onTaken = () => this.#taken(worker);
    worker.onLost = () => this.#lost(worker);
    this.#handOver();
  }

  /** No more connections for this process. What was sent before arrives before any other message. */
  remove(worker: WorkerProcess): void {
    this.#takers.delete(worker);
  }

  /** Stops listening, and hands over what is waiting. */
  async close(): Promise<void> {
    // Connections in the backlog would be reset. Node may accept only one in each turn of the event loop.
    let idle = 0;
    this.#server.on('connection', () => void (idle = 0));
    const end = performance.now() + CLOSING_TIME;
    while (idle++ < 3 && performance.now() < end) await setImmediate();
    this.#server.close();
    while (this.#waiting.length > 0 && this.#takers.size > 0 && performance.now() < end) await setTimeout(5);
  }

  #accept(socket: Socket): void {
    if (this.#waiting.length >= MAX_WAITING) return void socket.destroy();
    socket.on('error', () => {}); // the process that serves it has a listener of its own
    // Otherwise Node keeps track of the connection in both processes.
    Object.assign(socket, { server: null });
    this.#waiting.push(socket);
    this.#handOver();
  }

  #handOver(): void {
    while (this.#waiting.length > 0 && this.#free.length > 0) {
      const worker = this.#free.shift()!;
      if (!this.#takers.has(worker)) continue;
      const socket = this.#waiting.shift()!;
      this.#sent.set(worker, socket);
      worker.handOver(socket);
    }
  }

  #taken(worker: WorkerProcess): void {
    this.#sent.get(worker)?.destroy(); // only our descriptor of it
    this.#sent.delete(worker);
    if (this.#takers.has(worker)) this.#free.push(worker);
    this.#handOver();
  }

  #lost(worker: WorkerProcess): void {
    this.remove(worker);
    const socket = this.#sent.get(worker);
    this.#sent.delete(worker);
    if (socket) this.#waiting.unshift(socket);
    this.#handOver();
  }
}
