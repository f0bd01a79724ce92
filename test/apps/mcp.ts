import { execFileSync } from 'node:child_process';
import { createApp, defineFunction, definePrompt, defineResource, Failure } from 'everywire';
import type { App } from 'everywire';

const pizza = {
  type: 'object',
  properties: {
    size: { type: 'string', enum: ['small', 'large'], description: 'How big' },
    slices: { type: 'integer', minimum: 1, description: 'How many' },
  },
  required: ['size', 'slices'],
} as const;

const app: App = createApp({
  name: 'Features',
  version: '1.0.0',
  secret: 'a secret that all processes share',
  functions: [
    defineFunction({
      name: 'Order',
      description: 'Asks for what it needs',
      output: { type: 'string', description: 'The order' },
      run: async (_input, context) => {
        const { size, slices } = await context.ask(pizza, 'Which pizza?');
        return `${slices} slices of a ${size} one`;
      },
    }),
    defineFunction({
      name: 'Wait',
      description: 'Waits until it is told to stop',
      timeout: 20_000,
      run: (_input, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            console.error('ABORTED');
            resolve();
          });
        }),
    }),
    defineFunction({
      name: 'Count',
      description: 'Tells how far it is',
      output: { type: 'integer', description: 'The end' },
      run: async (_input, context) => {
        for (let i = 1; i <= 3; i++) {
          context.progress(i, 3, `step ${i}`);
          // The official client drops progress that it reads together with the answer.
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return 3;
      },
    }),
    defineFunction({
      name: 'Noise',
      description: 'Prints where it should not',
      output: { type: 'string', description: 'ok' },
      run: () => {
        console.log('noise from console.log');
        process.stdout.write('noise from stdout\n');
        execFileSync('echo', ['noise from a child'], { stdio: 'inherit' });
        return 'ok';
      },
    }),
    defineFunction({
      name: 'Length',
      description: 'Measures a text',
      input: { type: 'object', properties: { text: { type: 'string', description: 'Any' } }, required: ['text'] },
      output: { type: 'integer', description: 'Its length' },
      run: ({ text }) => text.length,
    }),
    defineFunction({
      name: 'Trace',
      description: 'Tells what trace it belongs to',
      output: { type: 'string', description: 'The parent' },
      run: (_input, { caller }) => caller.trace?.['traceparent'] ?? 'none',
    }),
    defineFunction({
      name: 'Touch',
      description: 'Changes the note',
      run: (): void => app.changes.resourceUpdated('notes://today'),
    }),
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
      input: {
        type: 'object',
        properties: { language: { type: 'string', enum: ['go', 'rust', 'ruby'], description: 'Of the code' } },
        required: ['language'],
      },
      run: ({ language }) => `Review this ${language} code.`,
    }),
  ],
});

export default app;
