#!/usr/bin/env node
// The calculator as a command of its own. TypeScript runs as it is.
import { run } from 'everywire/node';

await run(new URL('./app.ts', import.meta.url), process.argv);
