import { readdirSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp, definePrompt, defineResource, Failure, forms } from 'everywire';
import { boolean, fn, integer, object, silent, string, untilCancelled } from '../kit/functions.ts';

let warnings = 0;
process.on('warning', () => warnings++); // such as too many listeners on one emitter

const wait = object({ wait: boolean }, []);
const file = { ...forms.file, description: 'Any' };

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Also measures the process it runs in. */
const app = createApp({
  name: 'Leaks',
  version: '1.0.0',
  secret: 'a secret that all processes share',
  limits: { sessions: 50, timeout: 60_000 },
  log: silent,
  audit: { to: () => {} },
  functions: [
    fn('Echo', { input: object({ text: string }), output: string }, async ({ text }, context) => {
      context.progress(1, 2);
      context.log.info(text);
      await setImmediate();
      return text;
    }),
    fn('EchoFile', { input: object({ file }), output: file }, (input) => input.file),
    fn('Fail', { input: object({ how: string }, []), output: string }, async ({ how }) => {
      if (how === 'throws') throw new Error('thrown');
      if (how === 'output') return 5;
      throw new Failure('NOT_FOUND', 'not found');
    }),
    fn('Count', { input: wait, output: integer }, async function* (input, context) {
      for (let i = 0; i < 5; i++) yield i;
      if (input.wait) await untilCancelled(context);
      yield 5;
    }),
    fn('Wait', {}, (_, context) => {
      context.progress(1, 2);
      return untilCancelled(context);
    }),
    ...['Work', 'Rest'].map((name) =>
      fn(name, { task: 'allowed', input: wait }, (input, context) =>
        input.wait ? untilCancelled(context) : undefined,
      ),
    ),
    fn('Job', { task: 'allowed' }, (_, { signal }) => setTimeout(2 ** 30, undefined, { signal }).catch(() => {})),
    fn('Late', { timeout: 5 }, (_, { signal }) => setTimeout(10_000, undefined, { signal }).catch(() => {})),
    fn('Ask', { output: boolean }, async (_, { ask }) => (await ask(object({ yes: boolean }), 'Really?')).yes),
    fn('Measure', { output: { description: 'Counts and bytes' } }, measure),
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
  const forget = listen(listener) as () => boolean;
  listeners++;
  return () => {
    if (forget()) listeners--;
  };
};

async function measure() {
  // What is closed is forgotten some turns later.
  for (let i = 0; i < 4; i++) {
    await setTimeout(10);
    gc();
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
