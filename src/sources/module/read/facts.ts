import type { Hints } from '../../../core/function.ts';
import type { TaskMode } from '../../../core/task.ts';
import type { FunctionDescription } from '../description.ts';
import type { JsDoc } from './jsdoc.ts';

type Facts = Pick<FunctionDescription, 'isDeprecated' | 'hints' | 'scopes' | 'task' | 'title'>;

/** What the tags of a function say, apart from its parameters, results, errors and examples. */
export function readFacts({ tags }: JsDoc): Facts {
  const has = (...names: string[]) => tags.some(({ name }) => names.includes(name));
  const textOf = (tag: string) => tags.find(({ name }) => name === tag)?.text;
  const hints: Hints = {
    ...(has('readonly') && { readOnly: true }),
    ...(has('idempotent') && { idempotent: true }),
    ...(has('destructive') && { destructive: true }),
  };
  const scopes = tags.filter(({ name }) => name === 'scope' || name === 'scopes').flatMap(({ text }) => words(text));
  const task = textOf('task');
  const title = textOf('title');
  return {
    ...(title && { title }),
    ...(has('deprecated') && { isDeprecated: true }),
    ...(Object.keys(hints).length > 0 && { hints }),
    ...(scopes.length > 0 && { scopes }),
    ...(task !== undefined && { task: toTaskMode(task) }),
  };
}

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');

function toTaskMode(text: string): TaskMode {
  return text === 'always' || text === 'never' ? text : 'allowed';
}
