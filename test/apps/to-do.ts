import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';

/** Has a group with the name of a command for other apps. */
const list = defineFunction({
  name: 'tasks.List',
  description: 'Lists what is to be done',
  input: z.object({}),
  output: z.array(z.string()).describe('What is to be done'),
  run: () => ['Sleep'],
});

export const app = createApp({ name: 'To do', version: '1.0.0', functions: [list] });
