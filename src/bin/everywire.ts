#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';

// This file uses only syntax that old versions of Node can parse, so that they print this line and not a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: everywire needs Node.js 20.19 or later, not ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  // V8's code cache, in Node 22.8 and later: 53 ms instead of 59 for a CGI request. Everything else is loaded after this. By default
  // it would be in the temporary folder, where other users could put code.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => void };
  const folder = enableCompileCache && (await import('../load/cache-folder.ts')).cacheFolder();
  if (folder !== undefined) enableCompileCache!(join(folder, 'v8'));
  const { runEverywire } = await import('./run-everywire.ts');
  await runEverywire(process.argv);
}
