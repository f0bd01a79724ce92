import { Command, Option } from 'commander';
import type { AppSource } from './app-source.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { credentialsOf, withToken } from '../options/token-file.ts';
import { withVerbose } from '../options/verbose.ts';

export function mcpCommand(source: AppSource): Command {
  const command = source.declare(new Command('mcp').description('serve the functions over MCP, on stdin and stdout'));
  command.addOption(
    new Option('--names <policy>', 'tool names without dots, for clients that reject them').choices(['portable']),
  );
  return withVerbose(withStore(withToken(withEnvironment(command)))).action(async (...args: unknown[]) => {
    const { serveOnStdio } = await import('./run-mcp.ts');
    const { names, store, ...environment } = command.opts<EnvironmentFlags & StoreFlags & { names?: 'portable' }>();
    await serveOnStdio(async () => useStore(await source.load(args as string[]), { store }), {
      ...(await environmentOf(environment)),
      names,
      credentials: () => credentialsOf(command),
    });
  });
}
