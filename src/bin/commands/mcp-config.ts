import { resolve } from 'node:path';
import { MODULE } from './module-source.ts';
import { Command, Option } from 'commander';
import { claimStdout } from '../../stdout/claim.ts';
import { printWarning } from '../../stdout/stderr.ts';
import { loadModule } from '../load-module.ts';
import { environmentArguments, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { clientFacts, clients, configFor, dotWarning } from '../../wires/mcp/client-config.ts';
import type { Client } from '../../wires/mcp/client-config.ts';

export function mcpConfigCommand(): Command {
  const command = new Command('mcp-config')
    .description('print the configuration for an MCP client')
    .argument('<module>', MODULE)
    .addOption(new Option('--for <client>', 'the client application').choices(clients).default('generic'));
  return withEnvironment(command).action(
    async (module: string, { for: client, ...environment }: EnvironmentFlags & { for: Client }) => {
      const { write } = await claimStdout('text');
      const app = await loadModule(module);
      process.stderr.write(`For ${clientFacts[client].file}:\n`);
      const warning = client === 'generic' ? dotWarning(app) : undefined;
      if (warning !== undefined) printWarning(warning);
      write(`${configFor(client, app, module, environmentArguments(environment, resolve))}\n`, () => process.exit(0));
    },
  );
}
