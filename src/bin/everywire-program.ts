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
import { refusalsOf, whyRefused } from '../load/plain/refusals.ts';
import { loadModule, warnOfRefusals } from './load-module.ts';
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
import type { Process } from './process.ts';
import { takeToken } from './token.ts';
import { workerCommand } from './commands/worker.ts';

/** The `everywire` command with all its subcommands and options. */
export async function runEverywireProgram(proc: Process, args: readonly string[]): Promise<void> {
  const [word, ...rest] = args;
  const program = createEverywire(proc);
  if (word === 'complete' && !wantsHelp(rest))
    return (await import('./completion/complete.ts')).complete(proc, program, rest);
  const code = await runProgram(proc, withComplete(proc, program), word === undefined ? ['--help'] : args);
  return endCommand(proc, word, code);
}

function createEverywire(proc: Process): Command {
  const program = createProgram(proc, 'everywire')
    .description('Write a function once; serve it identically on every wire.')
    .addHelpText('beforeAll', `${everywireBanner}\n`)
    .version(everywireBanner, '-V, --version', 'show the version')
    .enablePositionalOptions();
  const [one, several] = [fromModule(proc), fromModules(proc)];
  const init = initCommand(proc);
  const commands = [
    init,
    serveCommand(proc, several),
    devCommand(proc, several),
    mcpCommand(proc, several),
    cgiCommand(proc, several),
    mcpConfigCommand(proc),
    callCommand(proc),
    tasksCommand(proc, one),
    workerCommand(proc, several),
    openApiCommand(proc, several),
    schemaCommand(proc),
    buildCommand(proc),
    containerizeCommand(proc, one),
    parityCommand(proc),
    auditCommand(proc),
  ];
  for (const command of commands) program.addCommand(configure(proc, command));
  for (const command of program.commands.flatMap((top) => (top.commands.length > 0 ? top.commands : [top]))) {
    if (command === init) continue; // there is no project yet
    command.option('--config <file>', 'read defaults from this file instead of everywire.config.ts');
    command.option('--no-config', 'do not read everywire.config.ts');
  }
  return program;
}

function callCommand(proc: Process): Command {
  const command = createProgram(proc, 'call')
    .description('call a function; its flags come from its schema')
    .argument('<module>', MODULE)
    .argument('[function]', 'its name; if missing, the functions are listed')
    .argument('[flags...]', 'its arguments; see everywire call <module> <function> --help');
  // Everything after the module belongs to the function's own command, --help included.
  return withStore(withToken(proc, withEnvironment(proc, command)))
    .passThroughOptions()
    .action(async (module: string, fn: string | undefined, flags: string[]) => {
      takeToken(proc);
      const app = await loadModule(proc, module);
      const { callFunction } = await import('./commands/app.ts');
      if (fn === undefined || fn.startsWith('-')) await warnOfRefusals(proc, refusalsOf(app));
      const args = fn === undefined ? [] : [fn, ...flags];
      return callFunction(proc, app, `everywire call ${module}`, args, {
        whyMissing: (words) => whyRefused(app, words),
        earlier: {
          ...command.opts<EnvironmentFlags>(),
          store: isStoreTyped(command) ? command.opts<StoreFlags>().store : undefined,
          tokenFile: typedToken(command).tokenFile,
        },
      });
    });
}
