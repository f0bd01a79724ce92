import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { spellEnvironment, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { loadModule } from '../load-module.ts';
import { configFor, hostFacts, hosts } from './client-config.ts';
import type { Host } from './client-config.ts';
import { claimStdout } from '../../stdout/claim.ts';

export function mcpConfigCommand(): Command {
  const command = new Command('mcp-config')
    .description('print what to put into the configuration of an MCP host')
    .argument('<module>', 'a .ts, .js or .mjs file that exports an app')
    .addOption(new Option('--for <host>', 'the host').choices(hosts).default('generic'));
  return withEnvironment(command).action(
    async (module: string, { for: host, ...environment }: EnvironmentFlags & { for: Host }) => {
      const { write } = await claimStdout('text');
      const app = await loadModule(module);
      const names = app.functions.map(({ operationId }) => operationId);
      process.stderr.write(`For ${hostFacts[host].file}:\n`);
      write(`${configFor(host, module, names, spellEnvironment(environment, resolve))}\n`, () => process.exit(0));
    },
  );
}
