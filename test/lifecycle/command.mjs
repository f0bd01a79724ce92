import { run } from 'everywire/node';

await run(new URL('./app.ts', import.meta.url), process.argv);
