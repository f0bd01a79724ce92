#!/usr/bin/env node
// The shop as a command of its own: `shop.mjs products list`, `shop.mjs serve`.
import { run } from 'everywire/node';

await run(new URL('./app.ts', import.meta.url), process.argv);
