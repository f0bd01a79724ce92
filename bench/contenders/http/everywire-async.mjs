import { createApp, defineFunction } from 'everywire';
import { serve } from 'everywire/node';
import { add } from '../add.mjs';
import { tellParent } from '../tell-parent.mjs';

// A function that is asynchronous is held to its time, which has a price of its own.
const functions = [defineFunction({ ...add, run: async ({ x, y }) => x + y })];
const { server } = await serve(createApp({ name: 'Bench', version: '1.0.0', functions }), { port: 0 });
tellParent(server.address().port);
