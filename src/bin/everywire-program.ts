import type { Command } from 'commander';
import { auditCommand } from './commands/audit.ts';
import { everywireBanner } from './banner.ts';
import { buildCommand } from './commands/build.ts';
import { cgiCommand } from './commands/cgi.ts';
import { containerizeCommand } from './commands/containerize.ts';
import { devCommand } from './commands/dev.ts';
import { withEnvironment } from './options/environment.ts';
import type { EnvironmentFlags } from './options/environment.ts';
import { isStoreTyped, withStore } from './options/store.ts';
import type { StoreFlags } from './options/store.ts';
import { typedToken, withToken } from './options/token-file.ts';
import { initCommand } from './commands/init.ts';
import { loadModule } from './load-module.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mcpConfigCommand } from './commands/mcp-config.ts';
import { MODULE, fromModule, fromModules } from './commands/module-source.ts';
import { openApiCommand } from './commands/openapi.ts';
import { parityCommand } from './commands/parity.ts';
import { wantsHelp, configure, createProgram, runProgram, withComplete } from './program.ts';
import { endCommand } from './run-module.ts';
import { schemaCommand } from './commands/schema.ts';
import { serveCommand } from './commands/serve.ts';
import { tasksCommand } from './commands/tasks.ts';
import { takeToken } from './token.ts';
import { workerCommand } from './commands/worker.ts';

/** The `everywire` command with all its subcommands and options. */
export async function runEverywireProgram(args: readonly string[]): Promise<void> {
  const [word, ...rest] = args;
  const program = createEverywire();
  if (word === 'complete' && !wantsHelp(rest))
    return (await import('./completion/complete.ts')).complete(program, rest);
  return endCommand(word, await runProgram(withComplete(program), word === undefined ? ['--help'] : args));
}

function createEverywire(): Command {
  const init = configure(initCommand());
  const program = createProgram('everywire')
    .addCommand(init)
    .description('Write a function once; serve it identically on every wire.')
    .addHelpText('beforeAll', `${everywireBanner}\n`)
    .version(everywireBanner, '-V, --version', 'show the version')
    .enablePositionalOptions();
  program.addCommand(configure(serveCommand(fromModules)));
  program.addCommand(configure(devCommand(fromModules)));
  program.addCommand(configure(mcpCommand(fromModules)));
  program.addCommand(configure(cgiCommand(fromModules)));
  program.addCommand(configure(mcpConfigCommand()));
  program.addCommand(configure(callCommand()));
  program.addCommand(configure(tasksCommand(fromModule)));
  program.addCommand(configure(workerCommand(fromModules)));
  program.addCommand(configure(openApiCommand(fromModules)));
  program.addCommand(configure(schemaCommand()));
  program.addCommand(configure(buildCommand()));
  program.addCommand(configure(containerizeCommand(fromModule)));
  program.addCommand(configure(parityCommand()));
  program.addCommand(configure(auditCommand()));
  for (const command of program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]))) {
    if (command === init) continue; // there is no project yet
    command.option('--config <file>', 'read defaults from this file instead of everywire.config.ts');
    command.option('--no-config', 'do not read everywire.config.ts');
  }
  return program;
}

function callCommand(): Command {
  const command = createProgram('call')
    .description('call a function; its flags come from its schema')
    .argument('<module>', MODULE)
    .argument('[function]', 'its name; if missing, the functions are listed')
    .argument('[flags...]', 'its arguments; see everywire call <module> <function> --help');
  // Everything after the module belongs to the function's own command, --help included.
  return withStore(withToken(withEnvironment(command)))
    .passThroughOptions()
    .action(async (module: string, fn: string | undefined, flags: string[]) => {
      takeToken();
      const app = await loadModule(module);
      const { callFunction } = await import('./commands/app.ts');
      const args = fn === undefined ? [] : [fn, ...flags];
      return callFunction(app, `everywire call ${module}`, args, {
        earlier: {
          ...command.opts<EnvironmentFlags>(),
          store: isStoreTyped(command) ? command.opts<StoreFlags>().store : undefined,
          tokenFile: typedToken(command).tokenFile,
        },
      });
    });
}
