import { createApp, defineFunction } from 'everywire';
import { serve } from 'everywire/node';
import { input, result } from '../add-zod.mjs';
import { tellParent } from '../tell-parent.mjs';

const add = defineFunction({
  name: 'Add',
  description: 'Adds two integers together',
  input,
  output: result,
  run: ({ x, y }) => x + y,
});

const app = createApp({ name: 'Bench', version: '1.0.0', functions: [add] });
const { server } = await serve(app, { port: 0 });
tellParent(server.address().port);
