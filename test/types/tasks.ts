// Type tests: compiled by `npm run check`, never run. A line under @ts-expect-error must not compile.
import { createApp, defineFunction, type Code, type Outcome } from 'everywire';
import { createClient, type StartedTask, type Task, type TaskHandle } from 'everywire/client';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const app = createApp({
  name: 'types',
  version: '1',
  functions: [
    defineFunction({
      name: 'Report',
      description: 'd',
      task: 'always',
      input: z.object({ rows: z.int() }),
      output: z.object({ rows: z.int() }),
      errors: { NO_PAPER: { description: 'd' } },
      run: ({ rows }) => ({ rows }),
    }),
    defineFunction({ name: 'Now', description: 'd', input: z.object({}), output: z.string(), run: () => 'now' }),
  ],
});

type Reported = Outcome<{ rows: number }, 'NO_PAPER' | Code>;

// A handle has the types of the call.
{
  const client = createClient<typeof app>('http://localhost:8080');
  const task = await client.start('Report', { rows: 1 }, { idempotencyKey: 'a', timeout: 1000 });
  expectTypeOf(task).toEqualTypeOf<TaskHandle<Reported, 'Report'>>();
  expectTypeOf(await task.result()).toEqualTypeOf<Reported>();
  expectTypeOf(await task.result()).toEqualTypeOf<Awaited<ReturnType<typeof call>>>();
  const call = () => client.call('Report', { rows: 1 }, { cancelOnAbort: true });
  expectTypeOf(task.id).toEqualTypeOf<string | undefined>();
  expectTypeOf(await task.task()).toEqualTypeOf<Outcome<Task>>();
  expectTypeOf(await task.cancel()).toEqualTypeOf<Outcome<Task>>();
  for await (const now of task.events()) expectTypeOf(now).toEqualTypeOf<Task>();
  await client.start('Now');
  // @ts-expect-error -- the input is required
  await client.start('Report');
  // @ts-expect-error -- of another type
  await client.start('Report', { rows: 'one' });
  // @ts-expect-error -- no such function
  await client.start('Nowhere');

  // Also after it was written down.
  expectTypeOf(task.toJSON()).toEqualTypeOf<StartedTask<'Report'>>();
  expectTypeOf(client.resume(task.toJSON())).toEqualTypeOf<TaskHandle<Reported, 'Report'>>();
  expectTypeOf(client.resume<'Report'>('{}')).toEqualTypeOf<TaskHandle<Reported, 'Report'>>();
  // @ts-expect-error -- no such function
  client.resume({ name: 'Nowhere', taskId: 'a' });
}

// An app in this process has its own types.
{
  const client = createClient(app);
  expectTypeOf(await client.start('Report', { rows: 1 })).toEqualTypeOf<TaskHandle<Reported, 'Report'>>();
}

// Without the type of an app, any name compiles.
{
  const client = createClient('http://localhost:8080');
  expectTypeOf(await client.start('Anything', 1)).toEqualTypeOf<TaskHandle>();
  expectTypeOf(client.resume({ name: 'Anything', taskId: 'a' })).toEqualTypeOf<TaskHandle>();
}
