import { createApp, defineFunction } from 'everywire';

const path = { type: 'string', description: 'A virtual path' } as const;

const save = defineFunction({
  name: 'Save',
  description: 'Writes a text to a file, and says what the environment calls it',
  input: {
    type: 'object',
    properties: { path, text: { type: 'string', description: 'What to write' } },
    required: ['path', 'text'],
  } as const,
  output: { type: 'string', description: 'The text, as it was read back' },
  run: async ({ path: where, text }, { env, files }) => {
    await files.changeDirectory('/data');
    await files.write(where, `${env.get('GREETING') ?? 'nothing'} ${text}`);
    return files.readText(where);
  },
});

export default createApp({ name: 'Files', version: '1.0.0', functions: [save] });
