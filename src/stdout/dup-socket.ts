import { closeSync } from 'node:fs';
import { OUTPUT, canReopen, isSocketAt, reopen } from './stdout.ts';
import { complain } from './stderr.ts';

/** A descriptor as libuv holds it. */
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
 * Moves stdout out of everybody's reach where it is a socket, as children of Node have: it cannot be opened anew, but
 * who sends it to himself over another socket gets a second descriptor of it. Node does so between processes, and the
 * parts that do it are old, internal and still reachable; where they are not, the answer is no, and nothing has changed.
 */
export async function moveSocket(): Promise<boolean> {
  const isPossible = process.platform === 'linux' && isSocketAt(1) && (canReopen(2) || isSocketAt(2));
  if (!isPossible || process.throwDeprecation) return false;
  try {
    const post = await openPost();
    const output = await post.send(1);
    process.env[OUTPUT] = String(output.fd);
    closeSync(1);
    // What comes next is put where stdout was: the lowest free descriptor.
    if (canReopen(2)) reopen(2);
    else if ((await post.send(2)).fd !== 1) complain('what is printed on stdout is lost');
    post.close();
    return true;
  } catch {
    return process.env[OUTPUT] !== undefined;
  }
}

interface Post {
  send(fd: number): Promise<Handle>;
  close(): void;
}

const PATIENCE = 1000;

/** Two ends of one connection, both of them ours. */
function openPost(): Promise<Post> {
  const { Pipe, PipeConnectWrap, constants } = bindingOf('pipe_wrap');
  const { WriteWrap } = bindingOf('stream_wrap');
  const [server, sender, receiver] = [new Pipe(constants.SERVER), new Pipe(constants.IPC), new Pipe(constants.IPC)];
  // Anybody on this machine can find the door, and be the one who is let in; but would not know the word.
  const [name, word] = [`\0everywire ${crypto.randomUUID()}`, crypto.randomUUID()];

  function send(fd: number): Promise<Handle> {
    const sent = new Pipe(constants.SOCKET);
    sent.open(fd);
    return within(PATIENCE, (resolve, reject) => {
      receiver.onread = (bytes) => {
        const got = receiver.pendingHandle;
        receiver.pendingHandle = null;
        receiver.readStop();
        if (got && bytes && Buffer.from(bytes).toString() === word) resolve(got);
        else reject(new Error('Something else came'));
      };
      receiver.readStart();
      if (sender.writeUtf8String(new WriteWrap(), word, sent) !== 0) reject(new Error('It could not be sent'));
    });
  }

  return within(PATIENCE, (resolve, reject) => {
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
    if (isRefused) reject(new Error('There is no such socket'));
  });
}

function bindingOf<Name extends keyof Bindings>(name: Name): Bindings[Name] {
  return (process as unknown as { binding(name: Name): Bindings[Name] }).binding(name);
}

function within<T>(
  patience: number,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It took too long')), patience);
    const done =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    start(done(resolve), done(reject));
  });
}
