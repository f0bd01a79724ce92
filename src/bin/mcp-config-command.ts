import { Command, Option } from 'commander';
import { loadApp } from '../hosts/load-app.ts';
import { configFor, hostFacts, hosts } from './mcp-config.ts';
import type { Host } from './mcp-config.ts';
import { claimStdout } from './stdout.ts';

export function mcpConfigCommand(): Command {
  return new Command('mcp-config')
    .description('print what to put into the configuration of an MCP host')
    .argument('<module>', 'a .ts, .js or .mjs file that exports an app')
    .addOption(new Option('--for <host>', 'the host').choices(hosts).default('generic'))
    .action(async (module: string, { for: host }: { for: Host }) => {
      const write = claimStdout();
      const app = await loadApp(module);
      const names = app.functions.map(({ operationId }) => operationId);
      process.stderr.write(`For ${hostFacts[host].file}:\n`);
      write(`${configFor(host, module, names)}\n`, () => process.exit(0));
    });
}
