import { refuse } from '../core/failure.ts';
import { success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Task } from '../core/task.ts';
import { pollTask } from './await-task.ts';
import { ACCEPT, ACCEPT_FILES, readFailure, sendRequest } from './http-response.ts';
import type { Expected, Sender } from './http-response.ts';
import { isEventStream, linesOf, readError } from './http-stream.ts';
import { isTask } from './task-connection.ts';
import type { TaskConnection } from './task-connection.ts';
import { toBody } from './to-body.ts';
import { unreachable } from './unreachable.ts';
import { anySignal } from './with-timeout.ts';

interface HttpTasksOptions {
  readonly sender: Sender;
  readonly headers: Readonly<Record<string, string>>;
  /** The address that `/tasks` follows. */
  readonly root: () => Promise<string>;
  /** What is known about the result of a function. */
  readonly expected: (name: string) => Promise<Expected>;
}

/** `GET <base>/tasks/<id>` and what is below it. */
export function httpTasks({ sender, headers, root, expected }: HttpTasksOptions): TaskConnection {
  return {
    get: (id, wait, signal) => {
      const prefer = wait > 0 ? { prefer: `wait=${wait}` } : {};
      return readTask(id, '', { headers: { accept: ACCEPT, ...prefer, ...headers }, ...(signal && { signal }) });
    },
    async result(id, name, signal) {
      const init = { headers: { accept: ACCEPT_FILES, ...headers }, ...(signal && { signal }) };
      return request(id, '/result', init, () => expected(name));
    },
    async answer(id, inputResponses, signal) {
      const body = toBody({ inputResponses });
      if (typeof body !== 'string') return body;
      const outcome = await request(id, '/input', post(body, signal), UNKNOWN);
      return outcome.ok ? success(undefined) : outcome;
    },
    cancel: (id, signal) => readTask(id, '/cancel', post('{}', signal)),
    watch: (id, signal) => watch(id, signal),
  };

  function post(body: string, signal: AbortSignal | undefined): RequestInit {
    const typed = { accept: ACCEPT, 'content-type': 'application/json', ...headers };
    return { method: 'POST', headers: typed, body, ...(signal && { signal }) };
  }

  /** For responses whose headers come at once, or when the server has waited. */
  async function send(url: URL | RequestInfo, init: RequestInit = {}): Promise<Response> {
    const silence = new Silence(init.signal);
    try {
      return await sender.send(url, { ...init, signal: silence.signal });
    } finally {
      silence.pause();
    }
  }

  async function request(
    id: string,
    below: string,
    init: RequestInit,
    known: () => Promise<Expected>,
  ): Promise<Outcome> {
    try {
      return await sendRequest({ ...sender, send }, await urlOf(id, below), init, known);
    } catch (thrown) {
      return unreachable(thrown); // of the document
    }
  }

  async function readTask(id: string, below: string, init: RequestInit): Promise<Outcome<Task>> {
    const outcome = await request(id, below, init, UNKNOWN);
    if (!outcome.ok) return outcome;
    return isTask(outcome.data)
      ? success(outcome.data)
      : refuse('INVALID_RESPONSE_FORMAT', 'The server sent something else than a task');
  }

  async function* watch(id: string, signal: AbortSignal | undefined): AsyncGenerator<Outcome<Task>, void> {
    const init = { headers: { accept: 'application/x-ndjson', ...headers }, ...(signal && { signal }) };
    const silence = new Silence(signal);
    try {
      const response = await sender.send(await urlOf(id, '/events'), { ...init, signal: silence.signal });
      if (!response.ok) yield await readFailure(response);
      else if (isEventStream(response) && response.body) yield* eventsIn(response.body, silence);
      else {
        silence.pause();
        await response.body?.cancel();
        yield* pollTask(() => readTask(id, '', init), signal);
      }
    } catch (thrown) {
      yield unreachable(thrown);
    } finally {
      silence.pause();
    }
  }

  async function urlOf(id: string, below: string): Promise<URL> {
    return new URL(`${await root()}/tasks/${encodeURIComponent(id)}${below}`);
  }
}

/** The body is a task or nothing, and no answer in a profile. */
const UNKNOWN = async (): Promise<Expected> => ({ isOurs: false });

async function* eventsIn(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<Outcome<Task>, void> {
  for await (const line of linesOf(body)) {
    silence.pause(); // the consumer of the event may be slow
    const outcome = readEvent(line);
    if (outcome) yield outcome;
    silence.start();
  }
}

/** Milliseconds. Servers answer after 20 seconds, and send an empty line every 15 seconds. */
const MAX_SILENCE = 45_000;

/** Aborts a request while nothing is received for too long: a connection may be lost without a word. */
class Silence {
  readonly #lost = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal | null | undefined) {
    this.signal = signal ? anySignal([signal, this.#lost.signal]) : this.#lost.signal;
    this.start();
  }

  start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lost.abort(new Error(`Silent for ${MAX_SILENCE} ms`)), MAX_SILENCE);
  }

  pause(): void {
    clearTimeout(this.#timer);
  }
}

function readEvent(line: string): Outcome<Task> | undefined {
  if (line === '') return undefined;
  let event: { event?: unknown; data?: unknown };
  try {
    event = JSON.parse(line) as typeof event;
  } catch {
    return refuse('INVALID_RESPONSE_FORMAT', 'The stream contains a line that is no event');
  }
  if (event.event === 'error') return readError(event.data) as Outcome<Task>;
  return event.event === 'task' && isTask(event.data) ? success(event.data) : undefined;
}
