import { relative } from 'node:path';
import { MODULE } from './module-source.ts';
import { Command } from 'commander';
import type { Process } from '../process.ts';
import { warnOfRefusals } from '../load-module.ts';
import { whileLoading } from '../while-loading.ts';

export function buildCommand(proc: Process): Command {
  const command = new Command('build')
    .description('write the app as one file: a command, a CGI script and a module')
    .argument('<module>', MODULE)
    .option('--out <file>', 'the file to write, .mjs or .cjs (default: <name>.built.mjs next to the module)');
  return command.action(async (module: string, { out }: { out?: string }) => {
    const { write } = proc.claimStdoutSync();
    const { buildApp } = await import('../../build/build-app.ts');
    const { path, app, bytes } = await buildApp(
      { path: proc.resolve(module), shown: module },
      out === undefined ? undefined : proc.resolve(out),
      (name, load) => whileLoading(proc, name, load),
    );
    await warnOfRefusals(proc, app);
    const file = relative(proc.cwd, path);
    const size = `${(bytes / 1024).toFixed(0)} KiB`;
    write(`${app.name} v${app.version} is in ${file} (${size})\n`);
    proc.end(0);
  });
}
