import { createApp } from 'everywire';
import { fn, integer as output } from '../kit/functions.ts';

// What several processes can serve only if they share a Redis.

const counted = fn('Counted', { output, rate: { calls: 3, seconds: 3600 } }, () => process.pid);
const who = fn('Who', { output }, () => new Promise((resolve) => setTimeout(resolve, 300, process.pid)));

export default createApp({ name: 'SharedWorkers', version: '1.0.0', functions: [counted, who] });
