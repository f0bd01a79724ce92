#!/usr/bin/env node
import module from 'node:module';

// In the one file that older versions can read: they would die of the first line that they do not know, and print it all.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: everywire needs Node.js 20.19 or later, and this is ${process.versions.node}\n`);
  process.exit(1);
}

// Compiled code is kept between runs where Node can (22.8 and later); everything else loads after this line.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { runEverywire } = await import('./run-everywire.ts');
await runEverywire(process.argv.slice(2));
