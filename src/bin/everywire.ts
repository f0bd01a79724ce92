#!/usr/bin/env node
import module from 'node:module';

// Compiled code is kept between runs where Node can (22.8 and later); everything else loads after this line.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { runEverywire } = await import('./run-everywire.ts');
await runEverywire(process.argv.slice(2));
