import { createApp } from 'everywire';
import { add } from './portable.ts';

export default createApp({ name: 'Strict', version: '1.0.0', strict: true, functions: [add] });
