import { createApp } from 'everywire';
import { fn, string } from '../kit/functions.ts';

/** Holds nothing open: a function that never returns leaves Node with nothing to wait for. */
const never = fn('Never', { output: string, timeout: 0 }, () => new Promise(() => {}));

export default createApp({ name: 'Never', version: '1.0.0', functions: [never] });
