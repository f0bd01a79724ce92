import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Round } from './answer/questions.tsx';
import { pretty } from './format.ts';
import type { Asked } from './run.ts';
import { ask, askJson } from './server.ts';
import { eventsIn } from './sse.ts';
import { taskIds } from './task-list.ts';

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly inputRequests?: Asked['questions'];
  readonly progress?: { readonly done: number; readonly total?: number; readonly message?: string };
}

/** The tasks that this page has started or seen. */
export function Tasks(): JSX.Element {
  return (
    <section class="tasks">
      <h1>Tasks</h1>
      {taskIds.value.length === 0 && (
        <p class="empty">No tasks yet. Call a function that becomes a task, or open Live and wait for one.</p>
      )}
      <ul class="cards">
        {taskIds.value.map((id) => (
          <TaskCard key={id} id={id} />
        ))}
      </ul>
    </section>
  );
}

function TaskCard({ id }: { readonly id: string }): JSX.Element {
  const [task, setTask] = useState<Task | Error | undefined>(undefined);
  const [result, setResult] = useState('');
  const path = `tasks/${encodeURIComponent(id)}`;
  useEffect(() => {
    const controller = new AbortController();
    void follow(path, controller.signal, setTask).catch((error: Error) => {
      if (!controller.signal.aborted) setTask(error);
    });
    return () => controller.abort();
  }, [path]);
  if (!task)
    return (
      <li class="card" role="status">
        Loading…
      </li>
    );
  if (task instanceof Error)
    return (
      <li class="card">
        <code>{id}</code> <p class="problem">{task.message}</p>
      </li>
    );
  const { status, progress } = task;
  const isOver = ['completed', 'failed', 'cancelled'].includes(status);
  return (
    <li class="card">
      <div class="bar">
        <code>{id}</code>
        <span class={`badge ${status === 'completed' ? 'good' : status === 'failed' ? 'danger' : ''}`}>{status}</span>
        {!isOver && (
          <button type="button" onClick={() => void ask(`${path}/cancel`, { method: 'POST' })}>
            Cancel
          </button>
        )}
        {isOver && !result && (
          <button
            type="button"
            onClick={() => void ask(`${path}/result`).then(async (it) => setResult(pretty(await it.text())))}
          >
            Result
          </button>
        )}
      </div>
      {progress && !isOver && (
        <progress
          aria-label={`Progress of ${id}`}
          {...(progress.total !== undefined && { value: progress.done, max: progress.total })}
        />
      )}
      {task.inputRequests && (
        <Round
          key={JSON.stringify(task.inputRequests)}
          asked={{ questions: task.inputRequests, reply: (replies) => void answer(path, replies) }}
          onDone={() => {}}
        />
      )}
      {task.statusMessage && <p class="muted">{task.statusMessage}</p>}
      {result && (
        <pre class="code" tabIndex={0} aria-label={`Result of ${id}`}>
          {result.slice(0, 100_000)}
        </pre>
      )}
    </li>
  );
}

async function answer(path: string, inputResponses: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await ask(`${path}/input`, { method: 'POST', headers, body: JSON.stringify({ inputResponses }) });
}

async function follow(path: string, signal: AbortSignal, onTask: (task: Task) => void): Promise<void> {
  onTask(await askJson<Task>(path, { signal }));
  const response = await ask(`${path}/events`, { signal, headers: { accept: 'text/event-stream' } });
  for await (const { event, data } of eventsIn(response)) if (event === 'task') onTask(JSON.parse(data) as Task);
}
