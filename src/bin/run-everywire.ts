import { loadApp } from '../hosts/load-app.ts';
import { argumentsUnderCgi } from './cgi-arguments.ts';

/** The `everywire` command. */
export async function runEverywire(args: readonly string[]): Promise<void> {
  if (!argumentsUnderCgi(args, process.env)) return (await import('./cgi.ts')).refuseQuery();
  const [word, module = '', ...rest] = args;
  // A web server pays for all that is loaded with every request, and here is nothing to parse.
  if (word === 'cgi' && /^[^-]/.test(module) && rest.length === 0)
    return (await import('./cgi.ts')).respondToCgi(() => loadApp(module), {});
  return (await import('./everywire-program.ts')).runEverywireProgram(args);
}
