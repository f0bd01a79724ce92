import { Command, InvalidArgumentError, Option } from 'commander';
import { projectClients } from '../../wires/mcp/client-config.ts';
import type { Client } from '../../wires/mcp/client-config.ts';
import type { Process } from '../process.ts';

/** What was typed; the rest is asked for on a terminal, and has a default elsewhere. */
export interface InitFlags {
  readonly name?: string;
  readonly docker?: boolean;
  /** False if it was typed; true may be the default. */
  readonly ci: boolean;
  readonly mcp?: readonly Client[];
  readonly install?: boolean;
  readonly everywire?: string;
  readonly yes?: boolean;
}

export function initCommand(proc: Process): Command {
  return new Command('init')
    .description('create a project: plain functions, a test, and what it takes to run them')
    .argument('[folder]', 'where; the current folder by default')
    .option('--name <name>', 'the name of the package (default: that of the folder)')
    .option('--docker', 'add a Dockerfile')
    .option('--no-ci', 'leave out the workflow for GitHub Actions')
    .addOption(
      new Option('--mcp <client>', 'add the configuration of an MCP client application; may be repeated')
        .choices(projectClients)
        .argParser(addClient),
    )
    .option('--install', 'run npm install')
    .option('--everywire <version|file>', 'the everywire to depend on (default: this version)')
    .option('-y, --yes', 'ask nothing, and use the defaults')
    .action(async (folder: string | undefined, flags: InitFlags) => {
      const { runInit } = await import('./run-init.ts');
      proc.end(await runInit(proc, folder || undefined, flags));
    });
}

function addClient(text: string, earlier: readonly Client[] = []): readonly Client[] {
  const client = projectClients.find((one) => one === text);
  if (client === undefined) throw new InvalidArgumentError(`Allowed choices are ${projectClients.join(', ')}.`);
  return [...earlier, client];
}
