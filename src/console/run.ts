import { batch, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { call } from './call.ts';
import type { Answer, Progress } from './call.ts';
import { bodyOf, callAsking } from './mcp/call-tool.ts';
import type { Question, Reply } from './mcp/call-tool.ts';
import { rememberTask } from './task-list.ts';
import type { Catalogue, Details, Profile } from './types.ts';

/** Questions that wait for the user. */
export interface Asked {
  readonly questions: Readonly<Record<string, Question>>;
  readonly reply: (replies: Record<string, Reply>) => void;
}

/** A call under way, and how the last one ended. */
export interface Run {
  readonly isRunning: Signal<boolean>;
  readonly isStreamed: Signal<boolean>;
  readonly isTask: Signal<boolean>;
  readonly answer: Signal<Answer | Error | undefined>;
  readonly progress: Signal<Progress | undefined>;
  readonly chunks: Signal<readonly unknown[]>;
  readonly asked: Signal<Asked | undefined>;
  start(body: string, profile: Profile): Promise<void>;
  cancel(): void;
}

/** Chunks that stay on the page. */
const MOST_CHUNKS = 200;

export function createRun(fn: Details, found: Catalogue): Run {
  let controller: AbortController | undefined;
  const run: Run = {
    isRunning: signal(false),
    // A function that declares what it yields, or that may take long, says how far it is.
    isStreamed: signal(fn.streams !== undefined || fn.task === 'allowed'),
    isTask: signal(fn.task === 'always'),
    answer: signal(undefined),
    progress: signal(undefined),
    chunks: signal([]),
    asked: signal(undefined),
    async start(body, profile) {
      controller?.abort();
      const mine = (controller = new AbortController());
      batch(() => {
        run.isRunning.value = true;
        run.progress.value = undefined;
        run.chunks.value = [];
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
    const answer = await call(fn, body, profile, {
      signal: abort,
      isTask: run.isTask.peek(),
      ...(run.isStreamed.peek() &&
        !run.isTask.peek() && { onProgress: (progress: Progress) => (run.progress.value = progress) }),
      onChunk: (chunk) => (run.chunks.value = [...run.chunks.peek(), chunk].slice(-MOST_CHUNKS)),
    });
    if (answer.status === 202) rememberTask((JSON.parse(answer.body) as { taskId?: string }).taskId);
    return answer.code === 'INPUT_REQUIRED' ? askUser(answer, body, abort) : answer;
  }

  /** HTTP cannot ask, and has said so; MCP can. */
  async function askUser(refused: Answer, body: string, abort: AbortSignal): Promise<Answer> {
    const start = performance.now();
    const answered = (questions: Asked['questions']) =>
      new Promise<Record<string, Reply>>((resolve, reject) => {
        run.asked.value = { questions, reply: resolve };
        abort.addEventListener('abort', () => reject(new Error('Cancelled')), { once: true });
      });
    const result = await callAsking(fn, JSON.parse(body), answered, abort);
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
