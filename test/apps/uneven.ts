import { createApp, defineFunction } from 'everywire';

/** Answers differently from wire to wire, which no app should; for what finds such apps. */
export default createApp({
  name: 'Uneven',
  version: '1.0.0',
  functions: [
    defineFunction({
      name: 'Wire',
      description: 'Says which wire it was called on',
      input: { type: 'object', properties: { extra: { type: 'string', description: 'Nothing' } } },
      output: { type: 'string', description: 'The wire' },
      hints: { readOnly: true },
      run: (_input, { caller }) => (caller.wire.startsWith('mcp') ? 'mcp' : 'other'),
    }),
    defineFunction({
      name: 'Count',
      description: 'Counts, so that no answer is like another',
      output: { type: 'number', description: 'Any number' },
      hints: { readOnly: true },
      run: () => Math.random(),
    }),
    defineFunction({
      name: 'Delete',
      description: 'Deletes everything',
      hints: { destructive: true, idempotent: true },
      run: () => {},
    }),
  ],
});
