import { Command } from 'commander';
import type { AppSource } from './app-source.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { namesOption } from '../options/serving.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { credentialsOf, withToken } from '../options/token-file.ts';
import { withVerbose } from '../options/verbose.ts';
import type { Process } from '../process.ts';

export function mcpCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(new Command('mcp').description('serve the functions over MCP, on stdin and stdout'));
  command.addOption(namesOption());
  return withVerbose(proc, withStore(withToken(proc, withEnvironment(proc, command)))).action(
    async (...args: unknown[]) => {
      const { serveOnStdio } = await import('./run-mcp.ts');
      const { names, store, ...environment } = command.opts<EnvironmentFlags & StoreFlags & { names?: 'portable' }>();
      await serveOnStdio(proc, async () => useStore(await source.load(args as string[]), { store }), {
        ...(await environmentOf(proc, environment)),
        names,
        credentials: () => credentialsOf(proc, command),
      });
    },
  );
}
