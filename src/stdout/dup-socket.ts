import { closeSync } from 'node:fs';
import { canReopen, isSocketAt, reopen } from './descriptor.ts';
import { printWarning } from './stderr.ts';

/** A libuv pipe handle, as process.binding('pipe_wrap') exposes it. */
interface Handle {
  readonly fd: number;
  pendingHandle: Handle | null;
  onread: (bytes?: ArrayBuffer) => void;
  onconnection: (status: number, client: Handle) => void;
  open(fd: number): void;
  bind(name: string): number;
  listen(backlog: number): number;
  connect(request: object, name: string): number;
  writeUtf8String(request: object, text: string, sent: Handle): number;
  readStart(): number;
  readStop(): number;
  close(): void;
}

interface Bindings {
  readonly pipe_wrap: {
    readonly Pipe: new (kind: number) => Handle;
    readonly PipeConnectWrap: new () => { oncomplete?: (status: number) => void };
    readonly constants: { readonly SOCKET: number; readonly SERVER: number; readonly IPC: number };
  };
  readonly stream_wrap: { readonly WriteWrap: new () => object };
}

/**
 * Strategy for sockets, which child processes of Node have as stdout. A socket cannot be reopened, but a process that sends
 * one to itself over a Unix domain socket (SCM_RIGHTS) receives a second descriptor of it. Node does this for IPC; the
 * bindings are internal, old and still reachable. Returns undefined, with nothing changed, if they are not. It costs 2 to 5 ms;
 * a second process costs 46 to 53 (`npm run bench -- --only tricks`).
 */
export async function dupSocket(): Promise<number | undefined> {
  const isPossible = process.platform === 'linux' && isSocketAt(1) && (canReopen(2) || isSocketAt(2));
  // process.binding is deprecated, and would throw.
  if (!isPossible || process.throwDeprecation) return undefined;
  let output: number | undefined;
  try {
    const loopback = await openLoopback();
    output = (await loopback.send(1)).fd;
    closeSync(1);
    // The next descriptor takes the place of stdout: it is the lowest free one.
    if (canReopen(2)) reopen(2);
    else if ((await loopback.send(2)).fd !== 1) printWarning('what the app prints on stdout is lost');
    loopback.close();
  } catch {
    // Either nothing was changed, or the output has been moved already.
  }
  return output;
}

interface Loopback {
  /** Sends a descriptor to this process; resolves with its duplicate. */
  send(fd: number): Promise<Handle>;
  close(): void;
}

/** The longest time in milliseconds to connect, or to send a descriptor. */
const STEP_TIMEOUT = 1000;

/** A Unix domain socket of which we hold both ends. */
function openLoopback(): Promise<Loopback> {
  const { Pipe, PipeConnectWrap, constants } = bindingOf('pipe_wrap');
  const { WriteWrap } = bindingOf('stream_wrap');
  const [server, sender, receiver] = [new Pipe(constants.SERVER), new Pipe(constants.IPC), new Pipe(constants.IPC)];
  // Abstract sockets are visible to all local users; a random token authenticates the peer.
  const [name, token] = [`\0everywire ${crypto.randomUUID()}`, crypto.randomUUID()];

  function send(fd: number): Promise<Handle> {
    const sent = new Pipe(constants.SOCKET);
    sent.open(fd);
    return withTimeout(STEP_TIMEOUT, (resolve, reject) => {
      receiver.onread = (bytes) => {
        const received = receiver.pendingHandle;
        receiver.pendingHandle = null;
        receiver.readStop();
        if (received && bytes && Buffer.from(bytes).toString() === token) resolve(received);
        else reject(new Error('Unexpected message'));
      };
      receiver.readStart();
      if (sender.writeUtf8String(new WriteWrap(), token, sent) !== 0) reject(new Error('Cannot send'));
    });
  }

  return withTimeout(STEP_TIMEOUT, (resolve, reject) => {
    const close = () => {
      for (const end of [sender, receiver]) end.close();
    };
    server.onconnection = (_status, client) => {
      server.close();
      receiver.open(client.fd);
      resolve({ send, close });
    };
    const isRefused =
      server.bind(name) !== 0 || server.listen(1) !== 0 || sender.connect(new PipeConnectWrap(), name) !== 0;
    if (isRefused) reject(new Error('Cannot connect'));
  });
}

function bindingOf<Name extends keyof Bindings>(name: Name): Bindings[Name] {
  return (process as unknown as { binding(name: Name): Bindings[Name] }).binding(name);
}

function withTimeout<T>(
  timeout: number,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Timeout')), timeout);
    const done =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    start(done(resolve), done(reject));
  });
}
