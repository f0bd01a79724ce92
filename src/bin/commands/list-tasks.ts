import { success } from '../../core/outcome.ts';
import { LIST_TASKS } from '../../core/task-operations.ts';
import type { Task } from '../../core/task.ts';
import { render } from '../../app/respond.ts';
import { tableOf } from '../../wires/cli/table.ts';
import { tableWidth } from '../program.ts';
import type { TaskCommand, TaskReply } from './run-tasks.ts';

interface Listed {
  readonly task: Task;
  readonly name: string;
}

/** A table for people, and the tasks themselves for programs. */
export async function listTasks({ proc, app, sender, options, profile }: TaskCommand): Promise<TaskReply> {
  const { limit, format } = options;
  const { outcome } = await app.operations.respond({ ...sender, name: LIST_TASKS, input: { limit } });
  if (!outcome.ok) return { answer: render(outcome, undefined, profile) };
  const listed = outcome.data as readonly Listed[];
  const tasks = listed.map(({ task: { taskId, ...task }, name }) => ({ taskId, name, ...task }));
  const answer = { outcome: success(tasks), body: JSON.stringify(tasks), fn: undefined };
  const isForPeople = format === 'table' || (format === undefined && proc.isTerminal(1));
  if (!isForPeople) return { answer };
  return { answer, options: { format: () => tableFor(listed, tableWidth(proc)) } };
}

/** Below this, the ids have lines of their own: they are needed whole, to be copied. */
const WIDE = 72;

function tableFor(listed: readonly Listed[], width: number): string {
  if (listed.length === 0) return 'No tasks\n';
  const isWide = width >= WIDE;
  const ids = ['id', '-'.repeat(ID), ...listed.map(({ task }) => task.taskId)];
  const rest = tableOf(isWide ? width - ID - GAP.length : width - GAP.length)(listed.map(toRow)).split('\n');
  return ids
    .map((id, i) => (isWide ? `${id.padEnd(ID)}${GAP}${rest[i]}` : `${id}\n${GAP}${rest[i]}`).trimEnd() + '\n')
    .join('');
}

const ID = 36;
const GAP = '  ';

function toRow({ task, name }: Listed): Readonly<Record<string, string>> {
  const { status, createdAt, progress, statusMessage = '' } = task;
  const { done, total } = progress ?? {};
  const far = done === undefined ? '' : total === undefined ? String(done) : `${done}/${total}`;
  return {
    function: name,
    status,
    age: span(Date.now() - Date.parse(createdAt)),
    progress: [far, statusMessage].filter(Boolean).join(' '),
  };
}

export async function showStats({ proc, app, options }: TaskCommand): Promise<TaskReply> {
  const { byStatus, dead, waiting, active, oldestWorking } = await app.tasks.stats();
  const oldest = oldestWorking === undefined ? null : new Date(oldestWorking).toISOString();
  const stats = { byStatus, dead, waiting, active, oldestWorking: oldest };
  const answer = { outcome: success(stats), body: JSON.stringify(stats), fn: undefined };
  const isForPeople = options.format === 'table' || (options.format === undefined && proc.isTerminal(1));
  if (!isForPeople) return { answer };
  const age = oldestWorking === undefined ? '' : span(Date.now() - oldestWorking);
  const shown = { ...byStatus, dead, waiting, active, 'oldest working': age };
  return { answer, options: { format: () => tableOf(tableWidth(proc))(shown) } };
}

/** Of all callers, for the operator: what happened to the tasks that were given up. */
export async function showDead({ app, options }: TaskCommand): Promise<TaskReply> {
  const dead = (await app.tasks.dead(options.limit)).map(({ id, name, createdAt, history }) => ({
    taskId: id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    history: history.map(({ at, what, by }) => ({ at: new Date(at).toISOString(), what, by })),
  }));
  return { answer: { outcome: success(dead), body: JSON.stringify(dead), fn: undefined } };
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
