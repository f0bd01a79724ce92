import { Failure, isFailure } from '../core/failure.ts';
import { unreachable } from './unreachable.ts';

/** As long as fetch in Node.js waits for the next bytes of a server. */
const MAX_IDLE = 300_000;

/** The bytes of a file that is being received, read on demand. */
export class Download {
  /** In bytes; undefined if the server does not say, or not reliably. */
  readonly size: number | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  #received = 0;
  #failure: Failure | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(response: Response, signal: AbortSignal | undefined) {
    this.size = sizeIn(response);
    this.#reader = response.body!.getReader();
    this.#signal = signal;
    // Not left to fetch, which may be replaced.
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort);
    this.#wait();
  }

  /** The next chunk; undefined at the end. Throws a Failure if there is no end. */
  async read(): Promise<Uint8Array | undefined> {
    clearTimeout(this.#idle);
    if (this.#failure) throw this.#failure;
    const { done, value } = await this.#reader.read().catch((thrown: unknown) => {
      throw this.#failure ?? this.#fail(brokenOff(thrown));
    });
    // It may have been set while we waited.
    if (this.#failure as Failure | undefined) throw this.#failure;
    this.#received += value?.byteLength ?? 0;
    const { size = this.#received } = this;
    if (this.#received > size || (done && this.#received < size)) throw this.#fail(wrongSize(size));
    if (done) this.#end();
    else this.#wait();
    return value;
  }

  /** Ends the request. */
  async cancel(): Promise<void> {
    this.#end();
    // It may have failed already.
    await this.#reader.cancel().catch(() => {});
  }

  readonly #abort = () => {
    const isLate = (this.#signal!.reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
    this.#fail(
      isLate
        ? new Failure('TIMEOUT', 'The file did not arrive in time')
        : new Failure('CANCELLED', 'Cancelled by the caller'),
    );
  };

  /** Nothing else ends the connection of a file that nobody reads: the server waits for us. */
  #wait(): void {
    if (this.#failure) return;
    const late = () => this.#fail(new Failure('TIMEOUT', `Nobody read the file for ${MAX_IDLE / 1000} seconds`));
    this.#idle = setTimeout(late, MAX_IDLE);
    // On Node.js the timer alone must not keep the process alive.
    (this.#idle as { unref?: () => void }).unref?.();
  }

  #fail(failure: Failure): Failure {
    this.#failure = failure;
    void this.cancel();
    return failure;
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#signal?.removeEventListener('abort', this.#abort);
  }
}

/**
 * Content-Length, unless it may be the length of a compressed body. A page does not see whether a response of another
 * origin is compressed.
 */
function sizeIn({ headers, type }: Response): number | undefined {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(length) && type !== 'cors' && !headers.has('content-encoding') ? Number(length) : undefined;
}

function brokenOff(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown;
  const { code, message } = unreachable(thrown, 'The file is incomplete').error;
  return new Failure(code, message);
}

function wrongSize(size: number): Failure {
  return new Failure('INVALID_RESPONSE_FORMAT', `The file does not have the ${size} bytes of its Content-Length`);
}
