import { Command } from 'commander';
import { claimStdout } from '../../stdout/claim.ts';
import { withEnvironment } from '../options/environment.ts';
import { loadModule } from '../load-module.ts';
import { MODULE } from './module-source.ts';

export function schemaCommand(): Command {
  const command = new Command('schema')
    .description('print what each function takes, returns and may fail with')
    .argument('<module>', MODULE)
    .argument('[function]', 'only this one')
    .option('--json', 'print JSON Schemas, as JSON');
  return withEnvironment(command).action(async (module: string, name: string | undefined) => {
    const { write } = await claimStdout('text');
    const { describeApp } = await import('./describe-app.ts');
    const app = await loadModule(module);
    const text = describeApp(app, name, command.opts<{ json?: boolean }>().json === true);
    write(`${text}\n`, () => process.exit(0)); // the app may hold timers and connections open
  });
}
