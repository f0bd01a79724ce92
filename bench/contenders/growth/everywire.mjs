// As many functions as it is told to have, and one that gives back what it is given.
import { createApp, defineFunction } from 'everywire';
import { serve } from 'everywire/node';
import { add } from '../add.mjs';
import { tellParent } from '../tell-parent.mjs';

const count = Number(process.argv[2]);

const adders = Array.from({ length: count }, (_, i) =>
  defineFunction({ ...add, name: `Add${i + 1}`, run: ({ x, y }) => x + y }),
);

const echo = defineFunction({
  name: 'Echo',
  description: 'Returns its text',
  input: { type: 'object', properties: { text: { type: 'string', description: 'Any text' } }, required: ['text'] },
  output: { type: 'string', description: 'The same text' },
  run: ({ text }) => text,
});

const app = createApp({ name: 'Bench', version: '1.0.0', functions: [...adders, echo] });
const { server } = await serve(app, { port: 0 });
tellParent(server.address().port);
