import { MODULE } from './module-source.ts';
import { Command, Option } from 'commander';
import type { Process } from '../process.ts';
import { loadModule } from '../load-module.ts';
import { environmentArguments, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { createEnvironment } from '../../env/environment.ts';
import { clientFacts, clients, configFor, dotWarning } from '../../wires/mcp/client-config.ts';
import type { Client } from '../../wires/mcp/client-config.ts';

export function mcpConfigCommand(proc: Process): Command {
  const command = new Command('mcp-config')
    .description('print the configuration for an MCP client')
    .argument('<module>', MODULE)
    .addOption(new Option('--for <client>', 'the client application').choices(clients).default('generic'));
  return withEnvironment(proc, command).action(
    async (module: string, { for: client, ...environment }: EnvironmentFlags & { for: Client }) => {
      const { write } = await proc.claimStdout('text');
      const app = await loadModule(proc, module);
      proc.stderr.write(`For ${clientFacts[client].file}:\n`);
      const warning = client === 'generic' ? dotWarning(app) : undefined;
      if (warning !== undefined) proc.printWarning(warning);
      const missing = app.variables.missingIn(createEnvironment({ env: environment.env?.values }).env);
      if (missing !== undefined) proc.printWarning(missing);
      const server = { program: proc.program.at(-1)!, module: proc.resolve(module) };
      write(`${configFor(client, app, server, environmentArguments(proc, environment, proc.resolve))}\n`);
      proc.end(0);
    },
  );
}
