import { createApp, defineFunction } from 'everywire';

// What several processes can serve only if they share a Redis.

const pid = { type: 'integer', description: 'The process' } as const;

const counted = defineFunction({
  name: 'Counted',
  description: 'May be called three times',
  output: pid,
  rate: { calls: 3, seconds: 3600 },
  run: () => process.pid,
});

const who = defineFunction({
  name: 'Who',
  description: 'Says who runs it, after a while',
  output: pid,
  run: () => new Promise<number>((resolve) => setTimeout(resolve, 300, process.pid)),
});

export default createApp({ name: 'SharedWorkers', version: '1.0.0', functions: [counted, who] });
