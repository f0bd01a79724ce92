import { loadApp } from '../hosts/load-app.ts';
import { argumentsUnderCgi } from './cgi-arguments.ts';
import { WITHOUT_OPTIONS } from './without-options.ts';

/** The `everywire` command. */
export async function runEverywire(args: readonly string[]): Promise<void> {
  const own = argumentsUnderCgi(args, process.env);
  if (!own) return (await import('./cgi.ts')).refuseQuery();
  const [word, module = '', ...rest] = own;
  const plainly = /^[^-]/.test(module) && rest.length === 0 ? WITHOUT_OPTIONS.get(word ?? '') : undefined;
  if (plainly) return plainly(() => loadApp(module));
  return (await import('./everywire-program.ts')).runEverywireProgram(own);
}
