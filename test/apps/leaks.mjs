import { createApp, defineFunction, definePrompt, defineResource, Failure, forms } from 'everywire';
import { readdirSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';

const nothing = () => {};
let warnings = 0;
process.on('warning', () => warnings++); // such as too many listeners on one emitter

/** Also measures the process it runs in, which needs `--expose-gc`. */
const app = createApp({
  name: 'Leaks',
  version: '1.0.0',
  secret: 'a secret that all processes share',
  limits: { sessions: 50, timeout: 60_000 },
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  audit: { to: nothing },
  functions: [
    defineFunction({
      name: 'Echo',
      description: 'Echoes',
      input: { type: 'object', properties: { text: { type: 'string', description: 'Any' } }, required: ['text'] },
      output: { type: 'string', description: 'The same' },
      run: async ({ text }, context) => {
        context.progress(1, 2);
        context.log.info(text);
        await setImmediate();
        return text;
      },
    }),
    defineFunction({
      name: 'EchoFile',
      description: 'Echoes a file',
      input: { type: 'object', properties: { file: { ...forms.file, description: 'Any' } }, required: ['file'] },
      output: { ...forms.file, description: 'The same' },
      run: ({ file }) => file,
    }),
    defineFunction({
      name: 'Fail',
      description: 'Fails',
      input: { type: 'object', properties: { how: { type: 'string', description: 'How' } } },
      output: { type: 'string', description: 'Nothing' },
      run: async ({ how }) => {
        if (how === 'throws') throw new Error('thrown');
        if (how === 'output') return 5;
        throw new Failure('NOT_FOUND', 'not found');
      },
    }),
    defineFunction({
      name: 'Count',
      description: 'Counts, and then waits until its caller leaves, if it is told to',
      input: { type: 'object', properties: { wait: { type: 'boolean', description: 'Whether to wait' } } },
      output: { type: 'integer', description: 'The last number' },
      async *run({ wait }, context) {
        for (let i = 0; i < 5; i++) yield i;
        if (wait) await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        yield 5;
      },
    }),
    defineFunction({
      name: 'Wait',
      description: 'Waits until its caller leaves',
      run: (_input, context) => {
        context.progress(1, 2);
        return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve()));
      },
    }),
    ...['Work', 'Rest'].map((name) =>
      defineFunction({
        name,
        description: 'Goes on until it is cancelled, or ends at once',
        task: 'allowed',
        input: { type: 'object', properties: { wait: { type: 'boolean', description: 'Whether it goes on' } } },
        run: ({ wait }, context) =>
          wait ? new Promise((resolve) => context.signal.addEventListener('abort', () => resolve())) : undefined,
      }),
    ),
    defineFunction({
      name: 'Job',
      description: 'A task that runs until it is cancelled',
      task: 'allowed',
      run: (_input, { signal }) => setTimeout(2 ** 30, undefined, { signal }).catch(nothing),
    }),
    defineFunction({
      name: 'Late',
      description: 'Takes longer than it may',
      timeout: 5,
      run: (_input, { signal }) => setTimeout(10_000, undefined, { signal }).catch(nothing),
    }),
    defineFunction({
      name: 'Ask',
      description: 'Asks',
      output: { type: 'boolean', description: 'The answer' },
      run: async (_input, context) => {
        const { yes } = await context.ask(
          { type: 'object', properties: { yes: { type: 'boolean', description: 'Or no' } }, required: ['yes'] },
          'Really?',
        );
        return yes;
      },
    }),
    defineFunction({
      name: 'Measure',
      description: 'What is alive in this process',
      output: { description: 'Counts and bytes' },
      run: measure,
    }),
  ],
  resources: [
    defineResource({
      uri: 'notes://{id}',
      name: 'note',
      description: 'A note',
      list: async () => [{ uri: 'notes://1', name: 'first' }],
      complete: { id: async () => Promise.reject(new Error('broken')) },
      read: async ({ id }) => ({ id }),
    }),
  ],
  prompts: [definePrompt({ name: 'hello', description: 'Says hello', run: () => 'hello' })],
});

/** Who waits to hear of changes: each session does. */
let listeners = 0;
const { listen } = app.changes;
app.changes.listen = (listener) => {
  const forget = listen(listener);
  listeners++;
  return () => {
    if (forget()) listeners--;
  };
};

async function measure() {
  // What is closed is forgotten some turns later.
  for (let i = 0; i < 4; i++) {
    await setTimeout(10);
    globalThis.gc();
  }
  const handles = process.getActiveResourcesInfo();
  return {
    heap: process.memoryUsage().heapUsed,
    descriptors: readdirSync('/proc/self/fd').length,
    sockets: handles.filter((kind) => kind.startsWith('TCPSocket')).length,
    timers: handles.filter((kind) => kind === 'Timeout').length,
    listeners,
    warnings,
  };
}

export default app;
