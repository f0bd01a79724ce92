import { argumentsUnderCgi } from './options/cgi-arguments.ts';
import { findConfig } from '../load/find-config.ts';
import { hasSettings } from './options/has-settings.ts';
import { wantsExactBody } from './options/wants-exact-body.ts';
import { loadModule } from './load-module.ts';
import { FAST_STARTS } from './fast-start.ts';
import { nodeProcess } from './node-process.ts';
import type { Process } from './process.ts';

/** Runs the `everywire` command, in the process of Node: it ends with the command. */
export async function runEverywire(argv: readonly string[]): Promise<void> {
  return startEverywire(nodeProcess(argv));
}

/** Runs the `everywire` command. Resolves when it has ended itself, or serves. */
export async function startEverywire(proc: Process): Promise<void> {
  const words = argumentsUnderCgi(proc.argv.slice(2), proc.env);
  if (!words) return (await import('./commands/run-cgi.ts')).refuseQuery(proc);
  const [word, module = '', ...rest] = words;
  const fastStart = /^[^-]/.test(module) && rest.length === 0 ? FAST_STARTS.get(word ?? '') : undefined;
  // CGI reads no configuration file of the current folder.
  const isFast = fastStart && !hasSettings(proc) && (word === 'cgi' || findConfig(proc.resolve) === undefined);
  if (isFast) return fastStart(proc, () => loadModule(proc, module));
  // This may respawn the process (see stdout/README.md): the earlier, the less is loaded twice.
  if (PRINTING.has(word ?? '')) await proc.claimStdout(wantsExactBody(rest) ? 'body' : 'text');
  return (await import('./everywire-program.ts')).runEverywireProgram(proc, words);
}

/** Commands that load an app and print output that programs read. */
const PRINTING = new Set(['call', 'tasks', 'openapi', 'schema', 'mcp-config', 'parity']);
