// What everywire serves on every wire, from source and built.
import { createApp, defineFunction } from 'everywire';
import { add } from './add.mjs';

const functions = [defineFunction({ ...add, run: ({ x, y }) => x + y })];
export default createApp({ name: 'Bench', version: '1.0.0', functions });
