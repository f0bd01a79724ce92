import { createApp } from 'everywire';
import { fn } from '../kit/functions.ts';

/** Has a group with the name of a command for other apps. */
const list = fn('tasks.List', { output: { type: 'array', description: 'What is to be done' } }, () => ['Sleep']);

export const app = createApp({ name: 'To do', version: '1.0.0', functions: [list] });
