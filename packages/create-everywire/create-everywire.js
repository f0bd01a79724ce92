#!/usr/bin/env node
// `npm create everywire` runs this: it is `everywire init`, of the everywire that is installed next to it.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { bin } = require('everywire/package.json');
const home = pathToFileURL(require.resolve('everywire/package.json'));
process.argv.splice(2, 0, 'init');
await import(new URL(bin.everywire, home).href);
