import { createApp } from 'everywire';
import { fn, record } from '../kit/functions.ts';

/** Shows what a function sees of its environment. */
const variables = fn('Variables', { hints: { readOnly: true }, output: record }, (_, { env }) => env.list());

export default createApp({ name: 'Settings', version: '1.0.0', functions: [variables] });
