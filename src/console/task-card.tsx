import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Round } from './answer/questions.tsx';
import { nameOf } from './catalogue.ts';
import { clock, milliseconds, pretty } from './format.ts';
import { linkTo } from './route.ts';
import { ask, askJson, refusalOf } from './server.ts';
import type { ListedTask } from './task-list.ts';
import { pathOf, refresh, seen } from './task-watch.ts';
import type { Task } from './task-watch.ts';

/** Characters of a result that are shown. */
const LONGEST = 100_000;

/** A task: its function, when it started and how long it takes, what it asks, and how it ended. */
export function TaskCard({ listed: { id, operationId } }: { readonly listed: ListedTask }): JSX.Element {
  const name = nameOf(operationId);
  const [result, setResult] = useState('');
  const [failure, setFailure] = useState('');
  const { task, problem, isOver = false } = seen.value.get(id) ?? {};
  /** What the user wants, and why it did not happen. */
  const act = async (what: () => Promise<void>) => {
    setFailure('');
    await what().catch((error: Error) => setFailure(error.message));
    await refresh(id);
  };
  // A failure that both a button and the polling report is shown once.
  const problems = new Set([failure, problem].filter((one) => one !== undefined && one !== ''));
  return (
    <li class="card">
      <div class="bar">
        <h2>{name === undefined ? operationId : <a href={linkTo('functions', name)}>{name}</a>}</h2>
        {!task && !problem && <span role="status">Loading…</span>}
        {task && <Status status={task.status} />}
        {task && (
          <span class="muted tabular when" title={task.createdAt}>
            started {clock(task.createdAt)}, {isOver ? 'took' : 'running for'} {milliseconds(elapsed(task, isOver))}
          </span>
        )}
        {task && !isOver && (
          <button type="button" onClick={() => void act(() => cancel(id))}>
            Cancel
          </button>
        )}
        {task && isOver && !result && (
          <button
            type="button"
            onClick={() => void act(async () => setResult(await resultOf(id, task.status === 'completed')))}
          >
            Result
          </button>
        )}
      </div>
      {task?.progress && !isOver && (
        <progress
          aria-label={`Progress of ${id}`}
          {...(task.progress.total !== undefined && { value: task.progress.done, max: task.progress.total })}
        />
      )}
      {task?.inputRequests && (
        <Round
          key={JSON.stringify(task.inputRequests)}
          asked={{ questions: task.inputRequests, reply: (replies) => act(() => answer(id, replies)) }}
        />
      )}
      {task?.statusMessage && <p class="muted">{task.statusMessage}</p>}
      {[...problems].map((one) => (
        <p key={one} class="problem" role="alert">
          {one}
        </p>
      ))}
      <code class="muted id">{id}</code>
      {result && (
        <pre class="code" tabIndex={0} aria-label={`Result of ${id}`}>
          {result.slice(0, LONGEST)}
        </pre>
      )}
    </li>
  );
}

/** Milliseconds since the start, by the clocks of both if the task still runs; they may differ. */
function elapsed({ createdAt, lastUpdatedAt }: Pick<Task, 'createdAt' | 'lastUpdatedAt'>, isOver: boolean): number {
  const end = isOver ? Date.parse(lastUpdatedAt) : Date.now();
  return Math.max(0, end - Date.parse(createdAt));
}

const COLOURS: Readonly<Record<string, string>> = { completed: 'good', failed: 'danger', input_required: 'warn' };

function Status({ status }: { readonly status: string }): JSX.Element {
  return <span class={`badge ${COLOURS[status] ?? ''}`}>{status}</span>;
}

async function cancel(id: string): Promise<void> {
  await askJson(`${pathOf(id)}/cancel`, { method: 'POST' });
}

/** The result of a task that failed is a failure, too. */
async function resultOf(id: string, isCompleted: boolean): Promise<string> {
  const response = await ask(`${pathOf(id)}/result`);
  if (isCompleted && !response.ok) throw await refusalOf(response);
  return pretty(await response.text());
}

async function answer(id: string, inputResponses: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await askJson(`${pathOf(id)}/input`, { method: 'POST', headers, body: JSON.stringify({ inputResponses }) });
}
