import type { App } from '../../app/app.ts';
import { createCallerReader } from './caller.ts';
import { createCredentialsReader } from './credentials.ts';
import type { Handler } from './find-route.ts';
import type { TaskHandlerOptions, TaskHandlers } from './tasks/task-handlers.ts';
import type { HttpWireOptions } from './wire.ts';

/** `/tasks/…`: loads the handlers with the first request. */
export function createLazyTaskHandlers(
  app: App,
  { name }: Pick<HttpWireOptions, 'name'>,
  options: Omit<TaskHandlerOptions, 'senderOf'>,
): TaskHandlers {
  const readCaller = createCallerReader(app, name);
  const readCredentials = createCredentialsReader(app);
  let loading: Promise<TaskHandlers> | undefined;
  const lazy =
    (handler: keyof TaskHandlers): Handler =>
    async (...parameters) => {
      loading ??= load();
      // Such as too many open files: the next request tries again.
      loading.catch(() => (loading = undefined));
      return (await loading)[handler](...parameters);
    };
  return {
    getTask: lazy('getTask'),
    getTaskResult: lazy('getTaskResult'),
    answerTask: lazy('answerTask'),
    cancelTask: lazy('cancelTask'),
    followTask: lazy('followTask'),
  };

  async function load(): Promise<TaskHandlers> {
    const { createTaskHandlers } = await import('./tasks/task-handlers.ts');
    return createTaskHandlers(app, {
      ...options,
      senderOf: (request) => ({ caller: readCaller(request), credentials: readCredentials?.(request) }),
    });
  }
}
