import { argumentsUnderCgi } from './cgi-arguments.ts';
import { asksExact } from './asks-exact.ts';
import { haveStdout } from './have-output.ts';
import { loadModule } from './load-module.ts';
import { WITHOUT_OPTIONS } from './without-options.ts';

/** The `everywire` command. */
export async function runEverywire(args: readonly string[]): Promise<void> {
  const own = argumentsUnderCgi(args, process.env);
  if (!own) return (await import('./cgi.ts')).refuseQuery();
  const [word, module = '', ...rest] = own;
  const plainly = /^[^-]/.test(module) && rest.length === 0 ? WITHOUT_OPTIONS.get(word ?? '') : undefined;
  if (plainly) return plainly(() => loadModule(module));
  // It may take another process, and the sooner that is known, the less is loaded twice.
  if (PRINTING.has(word ?? '')) await haveStdout(asksExact(rest));
  return (await import('./everywire-program.ts')).runEverywireProgram(own);
}

/** Commands that load an app and print something for programs. */
const PRINTING = new Set(['call', 'openapi', 'mcp-config', 'parity']);
