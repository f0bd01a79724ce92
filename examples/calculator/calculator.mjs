#!/usr/bin/env node
// The calculator as a command of its own: `calculator.mjs add --x 1 --y 2`. TypeScript runs without a build step.
import { run } from 'everywire/node';

await run(new URL('./app.ts', import.meta.url), process.argv);
