import type { App } from './app.ts';
import type { FoundTask } from './find-task.ts';

/** A task as JSON, the same on every wire: with `result`, the body in the app's profile, or `error`, once it has ended so. */
export function taskBody(app: App, { task, fn, outcome }: FoundTask): string {
  const text = JSON.stringify(task);
  if (!outcome || task.status === 'cancelled') return text;
  if (task.status === 'completed') return withMember(text, 'result', app.render(outcome, fn, app.profile).body);
  if (outcome.ok) return text;
  const { code, message } = outcome.error;
  return withMember(text, 'error', JSON.stringify({ code, message }));
}

/** Not parsed and written again: a result may have megabytes. */
const withMember = (object: string, name: string, value: string) => `${object.slice(0, -1)},"${name}":${value}}`;
