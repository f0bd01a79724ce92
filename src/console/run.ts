import { batch, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { parseJson } from '../schema/parse-json.ts';
import { call } from './call.ts';
import type { Answer, Progress } from './call.ts';
import { NO_CHUNKS, addChunk } from './last-chunks.ts';
import type { Chunks } from './last-chunks.ts';
import { bodyOf, callAsking } from './mcp/call-tool.ts';
import type { Question, Reply } from './mcp/call-tool.ts';
import { paced } from './paced.ts';
import { rememberTask } from './task-list.ts';
import type { Catalogue, Details, Profile } from './types.ts';

/** Questions that wait for the user. */
export interface Asked {
  readonly questions: Readonly<Record<string, Question>>;
  /** May take a while; then nothing else can be answered. */
  readonly reply: (replies: Record<string, Reply>) => void | Promise<void>;
}

/** A call under way, and how the last one ended. */
export interface Run {
  readonly isRunning: Signal<boolean>;
  readonly isStreamed: Signal<boolean>;
  readonly isTask: Signal<boolean>;
  readonly answer: Signal<Answer | Error | undefined>;
  /** The arguments that it is the answer to. */
  readonly sent: Signal<string>;
  readonly progress: Signal<Progress | undefined>;
  readonly chunks: Signal<Chunks>;
  readonly asked: Signal<Asked | undefined>;
  start(body: string, profile: Profile): Promise<void>;
  cancel(): void;
}

export function createRun(fn: Details, found: Catalogue): Run {
  let controller: AbortController | undefined;
  const run: Run = {
    isRunning: signal(false),
    // A function that declares what it yields, or that may take long, says how far it is.
    isStreamed: signal(fn.streams !== undefined || fn.task === 'allowed'),
    isTask: signal(fn.task === 'always'),
    answer: signal(undefined),
    sent: signal(''),
    progress: signal(undefined),
    chunks: signal(NO_CHUNKS),
    asked: signal(undefined),
    async start(body, profile) {
      controller?.abort();
      const mine = (controller = new AbortController());
      batch(() => {
        run.isRunning.value = true;
        run.sent.value = body;
        run.progress.value = undefined;
        run.chunks.value = NO_CHUNKS;
        run.asked.value = undefined;
      });
      const end = await answerTo(body, profile, mine.signal).catch((error: Error) => error);
      if (controller !== mine) return;
      batch(() => {
        run.isRunning.value = false;
        run.asked.value = undefined;
        run.answer.value = mine.signal.aborted ? new Error('Cancelled') : end;
      });
    },
    cancel: () => controller?.abort(),
  };
  return run;

  async function answerTo(body: string, profile: Profile, abort: AbortSignal): Promise<Answer> {
    let chunks = NO_CHUNKS;
    // What comes after the call was cancelled may be that of a call before this one.
    const shownChunks = paced((last: Chunks) => abort.aborted || (run.chunks.value = last));
    const shownProgress = paced((last: Progress) => abort.aborted || (run.progress.value = last));
    const answer = await call(fn, body, profile, {
      signal: abort,
      isTask: run.isTask.peek(),
      ...(run.isStreamed.peek() && !run.isTask.peek() && { onProgress: shownProgress.show }),
      onChunk: (chunk) => shownChunks.show((chunks = addChunk(chunks, chunk))),
    }).finally(shownChunks.flush);
    if (answer.status === 202) rememberTask((JSON.parse(answer.body) as { taskId?: string }).taskId, fn.operationId);
    return answer.code === 'INPUT_REQUIRED' ? askUser(answer, body, abort) : answer;
  }

  /** HTTP cannot ask, and has said so; MCP can. */
  async function askUser(refused: Answer, body: string, abort: AbortSignal): Promise<Answer> {
    const start = performance.now();
    const answered = (questions: Asked['questions']) =>
      new Promise<Record<string, Reply>>((resolve, reject) => {
        const reply = (replies: Record<string, Reply>) => {
          run.asked.value = undefined;
          resolve(replies);
        };
        run.asked.value = { questions, reply };
        abort.addEventListener('abort', () => reject(new Error('Cancelled')), { once: true });
      });
    const result = await callAsking(fn, parseJson(body), answered, abort);
    const text = bodyOf(result);
    const code = result.isError ? codeIn(result) : 'OK';
    return {
      ...refused,
      headers: [['content-type', 'application/json (over MCP, which can ask)']],
      body: text,
      bytes: new TextEncoder().encode(text).length,
      code,
      status: code === 'OK' ? 200 : ((fn.errors.find((one) => one.code === code) ?? found.codes[code])?.status ?? 500),
      duration: performance.now() - start,
    };
  }
}

function codeIn(result: object): string {
  const { _meta = {} } = result as { _meta?: Record<string, { code?: string } | undefined> };
  return Object.values(_meta).find((one) => typeof one?.code === 'string')?.code ?? 'ERROR';
}
