import { FrameworkError, refuse } from './failure.ts';
import type { Failed } from './outcome.ts';

/** What does not exist, or is hidden from the caller: nobody can tell the difference. */
export const functionNotFound = (name: string): Failed => refuse('FUNCTION_NOT_FOUND', `Function not found: ${name}`);

export const resourceNotFound = (uri: string): Failed => refuse('RESOURCE_NOT_FOUND', `Resource not found: ${uri}`);

/** Unknown, expired and somebody else's: the same sentence for all. */
export const taskNotFound = (id: string) => new FrameworkError('TASK_NOT_FOUND', `Task not found: ${id.slice(0, 100)}`);

export const promptNotFound = (name: string): Failed => refuse('PROMPT_NOT_FOUND', `Prompt not found: ${name}`);
