// An app whose functions depend on start, on middleware and on each other.
import { createApp, defineWith, Failure } from 'everywire';
import { z } from 'zod';

const { defineFunction, defineMiddleware } = defineWith<{ deps: { starts: number }; values: { name: string } }>();

let starts = 0;

const inner = defineFunction({
  name: 'Inner',
  description: 'Does what it is told to',
  input: z.object({ how: z.enum(['return', 'fail', 'throw', 'hang']).describe('How it ends') }),
  output: z.string().describe('Who called, and how'),
  timeout: 50,
  run: async ({ how }, { values }) => {
    if (how === 'fail') throw new Failure('TEAPOT', 'Short and stout', { details: { why: 'tea' } });
    if (how === 'throw') throw new Error('Broken inside');
    if (how === 'hang') await new Promise(() => {});
    return `${values.name}: ${how}`;
  },
});

const outer = (name: string, how: unknown) =>
  defineFunction({
    name,
    description: 'Calls Inner',
    output: z.string().describe('What Inner returned'),
    errors: { TEAPOT: { description: 'It is a teapot.', status: 418 } },
    run: async (_input, { call }) => call(inner, { how } as never),
  });

const named = defineMiddleware(({ function: fn }, next) => next({ name: fn.name }));

export default createApp({
  name: 'Wired',
  version: '1.0.0',
  functions: [
    inner,
    defineFunction({
      name: 'Starts',
      description: 'Returns how often the app was started',
      output: z.int().describe('Once'),
      run: (_input, { deps }) => deps.starts,
    }),
    defineFunction({
      name: 'Values',
      description: 'Returns what middleware added',
      output: z.object({ name: z.string() }).describe('The values'),
      run: (_input, { values }) => values,
    }),
    outer('Calls', 'return'),
    outer('CallsFailing', 'fail'),
    outer('CallsThrowing', 'throw'),
    outer('CallsHanging', 'hang'),
    outer('CallsWrongly', 'nonsense'),
  ],
  middleware: [named],
  start: async () => ({ starts: ++starts }),
  stop: () => {},
});
