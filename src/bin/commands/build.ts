import { relative } from 'node:path';
import { MODULE } from './module-source.ts';
import { Command } from 'commander';
import { claimStdoutSync } from '../../stdout/claim.ts';
import { warnOfRefusals } from '../load-module.ts';
import { whileLoading } from '../while-loading.ts';

export function buildCommand(): Command {
  const command = new Command('build')
    .description('write the app as one file: a command, a CGI script and a module')
    .argument('<module>', MODULE)
    .option('--out <file>', 'the file to write, .mjs or .cjs (default: <name>.built.mjs next to the module)');
  return command.action(async (module: string, { out }: { out?: string }) => {
    const { write } = claimStdoutSync();
    const { buildApp } = await import('../../build/build-app.ts');
    const { path, app, bytes } = await buildApp(module, out, whileLoading);
    await warnOfRefusals(app);
    const file = relative('', path);
    const size = `${(bytes / 1024).toFixed(0)} KiB`;
    write(`${app.name} v${app.version} is in ${file} (${size})\n`, () => process.exit(0));
  });
}
