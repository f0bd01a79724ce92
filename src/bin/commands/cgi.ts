import { Command } from 'commander';
import type { AppSource } from './app-source.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { withVerbose } from '../options/verbose.ts';
import { originRules, withOrigins } from '../options/origin.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import type { OriginFlags } from '../options/origin.ts';
import type { Process } from '../process.ts';

export function cgiCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(
    new Command('cgi').description('answer one request of a web server, as a CGI script (RFC 3875)'),
  );
  return withVerbose(proc, withStore(withEnvironment(proc, withOrigins(command)))).action(
    async (...args: unknown[]) => {
      const { respondToCgi } = await import('./run-cgi.ts');
      const { allowHost, allowOrigin, store, ...environment } = command.opts<
        EnvironmentFlags & OriginFlags & StoreFlags
      >();
      await respondToCgi(proc, async () => useStore(await source.load(args as string[]), { store }), {
        ...originRules({ allowHost, allowOrigin }),
        ...(await environmentOf(proc, environment)),
      });
    },
  );
}
