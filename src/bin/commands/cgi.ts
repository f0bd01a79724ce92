import { Command } from 'commander';
import type { AppSource } from './app-source.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { withVerbose } from '../options/verbose.ts';
import { originRules, withOrigins } from '../options/origin.ts';
import type { OriginFlags } from '../options/origin.ts';

export function cgiCommand(source: AppSource): Command {
  const command = source.declare(
    new Command('cgi').description('answer one request of a web server, as a CGI script (RFC 3875)'),
  );
  return withVerbose(withEnvironment(withOrigins(command))).action(async (...args: unknown[]) => {
    const { respondToCgi } = await import('./run-cgi.ts');
    const { allowHost, allowOrigin, ...environment } = command.opts<EnvironmentFlags & OriginFlags>();
    await respondToCgi(() => source.load(args as string[]), {
      ...originRules({ allowHost, allowOrigin }),
      ...(await environmentOf(environment)),
    });
  });
}
