import { createApp } from 'everywire';
import { fn, object, string } from '../kit/functions.ts';

/** Writes a text to a file, and says what the environment calls it. */
const save = fn('Save', { input: object({ path: string, text: string }), output: string }, async (input, context) => {
  const { path, text } = input;
  const { env, files } = context;
  await files.changeDirectory('/data');
  await files.write(path, `${env.get('GREETING') ?? 'nothing'} ${text}`);
  return files.readText(path);
});

export default createApp({ name: 'Files', version: '1.0.0', functions: [save] });
