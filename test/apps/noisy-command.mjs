import { run } from 'everywire/node';

await run(new URL('./noisy.ts', import.meta.url), process.argv);
