import { argumentsUnderCgi } from './options/cgi-arguments.ts';
import { findConfig } from '../load/find-config.ts';
import { hasSettings } from './options/has-settings.ts';
import { wantsExactBody } from './options/wants-exact-body.ts';
import { claimStdout } from '../stdout/claim.ts';
import { loadModule } from './load-module.ts';
import { FAST_STARTS } from './fast-start.ts';

/** The `everywire` command. */
export async function runEverywire(args: readonly string[]): Promise<void> {
  const words = argumentsUnderCgi(args, process.env);
  if (!words) return (await import('./commands/run-cgi.ts')).refuseQuery();
  const [word, module = '', ...rest] = words;
  const fastStart = /^[^-]/.test(module) && rest.length === 0 ? FAST_STARTS.get(word ?? '') : undefined;
  // CGI reads no configuration file of the current folder.
  const isFast = fastStart && !hasSettings() && (word === 'cgi' || findConfig() === undefined);
  if (isFast) return fastStart(() => loadModule(module));
  // This may respawn the process (see stdout/README.md): the earlier, the less is loaded twice.
  if (PRINTING.has(word ?? '')) await claimStdout(wantsExactBody(rest) ? 'body' : 'text');
  return (await import('./everywire-program.ts')).runEverywireProgram(words);
}

/** Commands that load an app and print output that programs read. */
const PRINTING = new Set(['call', 'tasks', 'openapi', 'schema', 'mcp-config', 'parity']);
