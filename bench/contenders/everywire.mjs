import { createApp, defineFunction } from 'everywire';
import { serve } from 'everywire/node';
import { add } from '../add.mjs';
import { tellParent } from '../tell-parent.mjs';

const functions = [defineFunction({ ...add, run: ({ x, y }) => x + y })];
const { server } = await serve(createApp({ name: 'Bench', version: '1.0.0', functions }), { port: 0 });
tellParent(server.address().port);
