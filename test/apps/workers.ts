import { createApp, defineResource, type App } from 'everywire';
import { boolean, fn, integer as output, object, string } from '../kit/functions.ts';

// For servers with several processes: functions that say which one runs them, and that end it.

const input = object({ ms: output });

const app: App = createApp({
  name: 'Workers',
  version: '1.0.0',
  functions: [
    fn('Who', { output }, () => process.pid),
    fn('Wait', { input, output }, ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, process.pid))),
    // Lets nothing else run.
    fn('Burn', { input, output }, ({ ms }) => {
      for (const end = performance.now() + ms; performance.now() < end;);
      return process.pid;
    }),
    // More than a connection takes at once.
    fn('Large', { output: string }, () => 'x'.repeat(20_000_000)),
    fn('Exit', {}, () => process.exit(3)),
    fn('Ask', { output }, async (_, { ask }) => {
      await ask(object({ yes: boolean }, []), 'Really?');
      return process.pid;
    }),
    fn('Change', { output }, () => {
      app.changes.resourceUpdated('note://1');
      return process.pid;
    }),
  ],
  resources: [defineResource({ uri: 'note://1', name: 'note', description: 'A note', read: () => 'text' })],
  limits: { headersTimeout: 1000, requestTimeout: 2000, responseTimeout: 3000, drain: 8000 },
});

export default app;
