import { Command } from 'commander';
import type { Process } from '../process.ts';
import { withEnvironment } from '../options/environment.ts';
import { loadModule } from '../load-module.ts';
import { MODULE } from './module-source.ts';

export function schemaCommand(proc: Process): Command {
  const command = new Command('schema')
    .description('print what each function takes, returns and may fail with')
    .argument('<module>', MODULE)
    .argument('[function]', 'only this one')
    .option('--json', 'print JSON Schemas, as JSON');
  return withEnvironment(proc, command).action(async (module: string, name: string | undefined) => {
    const { write } = await proc.claimStdout('text');
    const { describeApp } = await import('./describe-app.ts');
    const app = await loadModule(proc, module);
    const text = describeApp(app, name, command.opts<{ json?: boolean }>().json === true);
    write(`${text}\n`);
    proc.end(0);
  });
}
