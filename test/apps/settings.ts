import { createApp, defineFunction } from 'everywire';

/** Shows what a function sees of its environment. */
export default createApp({
  name: 'Settings',
  version: '1.0.0',
  functions: [
    defineFunction({
      name: 'Variables',
      description: 'Lists the variables',
      hints: { readOnly: true },
      output: { type: 'object', additionalProperties: { type: 'string' }, description: 'The variables' },
      run: (_input, { env }) => env.list(),
    }),
  ],
});
