import { success } from '../../core/outcome.ts';
import { LIST_TASKS } from '../../core/task-operations.ts';
import type { Task } from '../../core/task.ts';
import { render } from '../../app/respond.ts';
import { isTerminal } from '../../stdout/terminal.ts';
import { tableOf } from '../../wires/cli/table.ts';
import { columns } from './columns.ts';
import type { TaskCommand, TaskReply } from './run-tasks.ts';

interface Listed {
  readonly task: Task;
  readonly name: string;
}

/** A table for people, and the tasks themselves for programs. */
export async function listTasks({ app, sender, options, profile }: TaskCommand): Promise<TaskReply> {
  const { limit, format } = options;
  const { outcome } = await app.operations.respond({ ...sender, name: LIST_TASKS, input: { limit } });
  if (!outcome.ok) return { answer: render(outcome, undefined, profile) };
  const listed = outcome.data as readonly Listed[];
  const tasks = listed.map(({ task: { taskId, ...task }, name }) => ({ taskId, name, ...task }));
  const answer = { outcome: success(tasks), body: JSON.stringify(tasks), fn: undefined };
  const isForPeople = format === 'table' || (format === undefined && isTerminal);
  if (!isForPeople) return { answer };
  const rows = listed.map(toRow);
  const table = () => (rows.length > 0 ? tableOf(columns())(rows) : 'There are no tasks of yours\n');
  return { answer, options: { format: table } };
}

function toRow({ task, name }: Listed): Readonly<Record<string, string>> {
  const { taskId, status, createdAt, progress, statusMessage = '' } = task;
  const { done, total } = progress ?? {};
  const far = done === undefined ? '' : total === undefined ? String(done) : `${done}/${total}`;
  return {
    id: taskId,
    function: name,
    status,
    age: span(Date.now() - Date.parse(createdAt)),
    progress: [far, statusMessage].filter(Boolean).join(' '),
  };
}

export async function showStats({ app, options }: TaskCommand): Promise<TaskReply> {
  const { byStatus, dead, waiting, active, oldestWorking } = await app.tasks.stats();
  const oldest = oldestWorking === undefined ? null : new Date(oldestWorking).toISOString();
  const stats = { byStatus, dead, waiting, active, oldestWorking: oldest };
  const answer = { outcome: success(stats), body: JSON.stringify(stats), fn: undefined };
  const isForPeople = options.format === 'table' || (options.format === undefined && isTerminal);
  if (!isForPeople) return { answer };
  const age = oldestWorking === undefined ? '' : span(Date.now() - oldestWorking);
  const shown = { ...byStatus, dead, waiting, active, 'oldest working': age };
  return { answer, options: { format: () => tableOf(columns())(shown) } };
}

const UNITS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
];

/** A time for people: `40 s`, `3 min`, `2 h`. */
function span(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, least]) => milliseconds >= least) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}
