import type { FunctionDefinition } from './function.ts';
import { ownerOf } from './principal.ts';

/** MCP method names, as far as there are any. The slash keeps them distinct from the names of functions. */
export const GET_TASK = 'tasks/get';
export const UPDATE_TASK = 'tasks/update';
export const CANCEL_TASK = 'tasks/cancel';
export const LIST_TASKS = 'tasks/list';

/** What the operations need. Each throws a Failure if the owner has no such task. */
export interface OwnedTasks {
  get(id: string, owner: string): Promise<object>;
  answer(id: string, owner: string, responses: Readonly<Record<string, unknown>>): Promise<void>;
  cancel(id: string, owner: string): Promise<object>;
  list(owner: string, limit: number): Promise<readonly object[]>;
}

type LoadTasks = () => Promise<OwnedTasks>;

const taskId = { type: 'string', description: 'The id of the task' } as const;
const task = { type: 'object', additionalProperties: true, description: 'The task' } as const;

/** A task is found by its owner only, so everybody may ask. */
export function taskOperations(load: LoadTasks, hasAccess: boolean): Readonly<Record<string, FunctionDefinition>> {
  const open = { ...(hasAccess && { scopes: 'public' as const }), coerce: false };
  return {
    [GET_TASK]: {
      ...open,
      name: 'get',
      description: 'Returns a task',
      input: { type: 'object', properties: { taskId }, required: ['taskId'] },
      output: task,
      run: async (input: { taskId: string }, { principal }) => (await load()).get(input.taskId, ownerOf(principal)),
    },
    [UPDATE_TASK]: {
      ...open,
      name: 'update',
      description: 'Answers what a task waits for',
      input: {
        type: 'object',
        properties: {
          taskId,
          inputResponses: { type: 'object', additionalProperties: true, description: 'The answers, by key' },
        },
        required: ['taskId', 'inputResponses'],
      },
      run: async (input: { taskId: string; inputResponses: Record<string, unknown> }, { principal }) =>
        (await load()).answer(input.taskId, ownerOf(principal), input.inputResponses),
    },
    [CANCEL_TASK]: {
      ...open,
      name: 'cancel',
      description: 'Cancels a task',
      input: { type: 'object', properties: { taskId }, required: ['taskId'] },
      output: task,
      run: async (input: { taskId: string }, { principal }) => (await load()).cancel(input.taskId, ownerOf(principal)),
    },
    [LIST_TASKS]: {
      ...open,
      name: 'list',
      description: 'Lists the tasks of the caller, the newest first',
      input: {
        type: 'object',
        properties: { limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'How many; 100 by default' } },
      },
      output: { type: 'array', items: task, description: 'The tasks' },
      run: async ({ limit = 100 }: { limit?: number }, { principal }) => (await load()).list(ownerOf(principal), limit),
    },
  };
}
