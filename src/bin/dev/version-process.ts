import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedState } from '../../share/shared-state.ts';
import type { Process } from '../process.ts';
import { WORKER } from '../workers/is-worker.ts';
import type { Ended } from '../workers/worker-process.ts';
import { isDevReport } from './messages.ts';
import type { DevOrder, DevReport, DevServing } from './messages.ts';
import { StateServer } from './remote-state.ts';

interface VersionOptions {
  readonly proc: Process;
  /** Where all versions meet; only this user can enter it. */
  readonly folder: string;
  readonly address: AddressInfo;
  readonly state: SharedState;
  readonly onFiles: (files: readonly string[]) => void;
}

/** Milliseconds that a process has to end, beyond the limits of its app. */
const GRACE = 2000;
const MAX_TIMEOUT = 2 ** 31 - 1;
/** Milliseconds in which a process that is alive takes a connection, unless its code never yields. */
const MAX_CONNECT = 5000;

let count = 0;

/** A version of the app, which runs in a process of its own: this command, run again. */
export class VersionProcess {
  readonly startedAt = new Date();
  /** Resolves when it serves; undefined if it ended before. */
  readonly serving: Promise<DevServing | undefined>;
  readonly ended: Promise<Ended>;
  hasEnded = false;
  /** Whether it ended because the app needs a variable that was not passed. */
  lacksVariable = false;
  readonly #child: ChildProcess;
  readonly #path: string;
  #calls = 0;
  #isRetiring = false;
  #drain = 0;

  constructor({ proc, folder, address, state, onFiles }: VersionOptions) {
    // Short, since the path of a socket has at most about a hundred characters. Windows has pipes instead.
    const name = String(++count);
    this.#path =
      process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll(/[\\/:]/g, '-')}-${name}` : join(folder, name);
    const child = fork(proc.argv[1]!, proc.argv.slice(2), { env: { ...proc.env, [WORKER]: '1' } });
    this.#child = child;
    const states = new StateServer(state, (order) => this.send(order));
    this.ended = new Promise((resolve) => {
      // Not `exit`: the last reports are read before this.
      child.once('close', (code, signal) => resolve({ code, signal }));
      child.on('error', () => child.pid === undefined && resolve({ code: 1, signal: null }));
    });
    void this.#clearUp(states);
    this.serving = new Promise((resolve) => {
      const receive = (report: DevReport) => {
        if (report.everywire === 'files') onFiles(report.files);
        else if (report.everywire === 'variable-missing') this.lacksVariable = true;
        else if (report.everywire === 'state') void states.answer(report);
        else if (report.everywire === 'started') this.send({ everywire: 'serve', address, path: this.#path });
        else {
          this.#drain = report.drain;
          resolve(report);
        }
      };
      child.on('message', (message) => void (isDevReport(message) && receive(message)));
      void this.ended.then(() => resolve(undefined));
    });
  }

  send(order: DevOrder): void {
    if (this.#child.connected) this.#child.send(order, () => {}); // if it has ended, that is noticed elsewhere
  }

  /** A connection for one request. It arrives as if the client itself had made it. Throws if the process does not take it. */
  async connect({ remoteAddress, remotePort, remoteFamily }: Socket): Promise<Socket> {
    const socket = connect(this.#path);
    try {
      socket.write(`${JSON.stringify({ remoteAddress, remotePort, remoteFamily })}\n`);
      // The process says that it knows the client, so that nothing of the request is read before that.
      await once(socket, 'readable', { signal: AbortSignal.timeout(MAX_CONNECT) });
      if (socket.read() !== null) return socket;
      throw new Error('the connection was closed');
    } catch (error) {
      socket.on('error', () => {}).destroy();
      throw error;
    }
  }

  /** Notes that a call is under way. Returns a function that notes its end. */
  beginCall(): () => void {
    this.#calls++;
    return () => {
      this.#calls--;
      if (this.#isRetiring && this.#calls === 0) this.end();
    };
  }

  /** Another version serves: this one ends after its last call. */
  retire(): void {
    this.#isRetiring = true;
    if (this.#calls === 0) this.end();
  }

  end(): void {
    this.send({ everywire: 'end' });
    void this.#killAfter(Math.min(this.#drain + GRACE, MAX_TIMEOUT));
  }

  async #killAfter(limit: number): Promise<void> {
    await Promise.race([this.ended, sleep(limit, undefined, { ref: false })]);
    this.kill();
  }

  async #clearUp(states: StateServer): Promise<void> {
    await this.ended;
    this.hasEnded = true;
    states.close();
    rmSync(this.#path, { force: true });
  }

  kill(): void {
    if (!this.hasEnded) this.#child.kill('SIGKILL');
  }
}
