import { createApp, defineFunction, defineResource } from 'everywire';
import type { App } from 'everywire';

// For servers with several processes: functions that say which one runs them, and that end it.

const pid = { type: 'integer', description: 'The process' } as const;
const milliseconds = { type: 'integer', description: 'Milliseconds' } as const;
const input = { type: 'object', properties: { ms: milliseconds }, required: ['ms'] } as const;

const who = defineFunction({ name: 'Who', description: 'Says who runs it', output: pid, run: () => process.pid });

const wait = defineFunction({
  name: 'Wait',
  description: 'Waits',
  input,
  output: pid,
  run: ({ ms }) => new Promise<number>((resolve) => setTimeout(resolve, ms, process.pid)),
});

const burn = defineFunction({
  name: 'Burn',
  description: 'Computes, and lets nothing else run',
  input,
  output: pid,
  run: ({ ms }) => {
    for (const end = performance.now() + ms; performance.now() < end;);
    return process.pid;
  },
});

const large = defineFunction({
  name: 'Large',
  description: 'Returns more than a connection takes at once',
  output: { type: 'string', description: 'A long string' },
  run: () => 'x'.repeat(20_000_000),
});

const exit = defineFunction({ name: 'Exit', description: 'Ends the process', run: () => process.exit(3) });
const abort = defineFunction({ name: 'Abort', description: 'Ends the process', run: () => process.abort() });

const ask = defineFunction({
  name: 'Ask',
  description: 'Asks first',
  output: pid,
  run: async (_input, context) => {
    await context.ask({ type: 'object', properties: { yes: { type: 'boolean' } } }, 'Really?');
    return process.pid;
  },
});

const change = defineFunction({
  name: 'Change',
  description: 'Changes the note',
  output: pid,
  run: () => {
    app.changes.resourceUpdated('note://1');
    return process.pid;
  },
});

const store = defineFunction({
  name: 'Store',
  description: 'Where processes meet',
  output: { type: 'string', description: 'The address' },
  run: (): string => app.store.url ?? 'nowhere',
});

const note = defineResource({ uri: 'note://1', name: 'note', description: 'A note', read: () => 'text' });

const app: App = createApp({
  name: 'Workers',
  version: '1.0.0',
  functions: [who, wait, burn, large, exit, abort, ask, change, store],
  resources: [note],
  limits: { headersTimeout: 1000, requestTimeout: 2000, drain: 8000 },
});

export default app;
