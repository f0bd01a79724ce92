import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, definePrompt, defineResource, Failure, type App } from 'everywire';
import { fn, integer, object, string, untilCancelled } from '../kit/functions.ts';

const size = { type: 'string', enum: ['small', 'large'], description: 'How big' } as const;
const pizza = object({ size, slices: { type: 'integer', minimum: 1, description: 'How many' } });
const language = { type: 'string', enum: ['go', 'rust', 'ruby'], description: 'Of the code' } as const;

const app: App = createApp({
  name: 'Features',
  version: '1.0.0',
  secret: 'a secret that all processes share',
  functions: [
    fn('Order', { output: string }, async (_, { ask }) => {
      const ordered = await ask(pizza, 'Which pizza?');
      return `${ordered.slices} slices of a ${ordered.size} one`;
    }),
    fn('Wait', { timeout: 20_000 }, async (_, context) => {
      await untilCancelled(context);
      console.error('ABORTED');
    }),
    fn('Count', { output: integer }, async (_, { progress }) => {
      for (let i = 1; i <= 3; i++) {
        progress(i, 3, `step ${i}`);
        await sleep(100); // the official client drops progress that it reads together with the answer
      }
      return 3;
    }),
    fn('Noise', { output: string }, () => {
      console.log('noise from console.log');
      process.stdout.write('noise from stdout\n');
      execFileSync('echo', ['noise from a child'], { stdio: 'inherit' });
      return 'ok';
    }),
    fn('Length', { input: object({ text: string }), output: integer }, ({ text }) => text.length),
    fn('Trace', { output: string }, (_, { caller }) => caller.trace?.['traceparent'] ?? 'none'),
    fn('Touch', {}, () => app.changes.resourceUpdated('notes://today')),
  ],
  resources: [
    defineResource({
      uri: 'notes://today',
      name: 'today',
      description: 'The note of the day',
      read: () => 'Buy milk',
    }),
    defineResource({
      uri: 'notes://{year}/{id}',
      name: 'note',
      description: 'Any note',
      complete: { year: () => ['2025', '2026'] },
      list: () => [{ uri: 'notes://2026/1', name: 'first' }],
      read: ({ year, id }) => (id === '1' ? { year, id } : new Failure('NOT_FOUND', `No note ${id} in ${year}`)),
    }),
    defineResource({
      uri: 'notes://picture',
      name: 'picture',
      description: 'Bytes',
      mimeType: 'image/png',
      read: () => new Uint8Array([137, 80, 78, 71]),
    }),
    defineResource({
      uri: 'notes://broken',
      name: 'broken',
      description: 'Fails',
      read: () => {
        throw new Error('disk on fire at /var/secret');
      },
    }),
  ],
  prompts: [
    definePrompt({
      name: 'review',
      description: 'Asks for a review',
      input: object({ language }),
      run: (given) => `Review this ${given.language} code.`,
    }),
  ],
});

export default app;
