import { dirname, join, relative } from 'node:path';
import { MODULE } from './module-source.ts';
import { Command, InvalidArgumentError } from 'commander';
import type { BuildOptions, Built } from '../../build/build-app.ts';
import type { Process } from '../process.ts';
import { refusalsOf } from '../../load/plain/refusals.ts';
import { warnOfRefusals } from '../load-module.ts';
import { whileLoading } from '../while-loading.ts';

export function buildCommand(proc: Process): Command {
  const command = new Command('build')
    .description('write the app as one file: a command, a CGI script and a module')
    .argument('<module>', MODULE)
    .option('--out <file>', 'the file to write, .mjs or .cjs (default: <name>.built.mjs next to the module)')
    .option('--external <package>', 'a package to leave outside, in node_modules; repeatable', addPackage)
    .option('--copy-externals', 'copy the packages that stay outside into node_modules beside the file');
  return command.action(async (module: string, { out, ...options }: BuildOptions) => {
    const { write } = proc.claimStdoutSync();
    const { buildApp } = await import('../../build/build-app.ts');
    const built = await buildApp(
      { path: proc.resolve(module), shown: module },
      { ...options, out: out === undefined ? undefined : proc.resolve(out) },
      (name, load) => whileLoading(proc, name, load),
    );
    const { path, app, bytes } = built;
    await warnOfRefusals(proc, refusalsOf(app));
    const file = relative(proc.cwd, path);
    const size = `${(bytes / 1024).toFixed(0)} KiB`;
    write(`${app.name} v${app.version} is in ${file} (${size})\n`);
    if (built.externals.length > 0) proc.stderr.write(aboutExternals(built, proc.cwd, options.copyExternals === true));
    proc.end(0);
  });
}

/** Which packages the file needs, and how they get beside it. */
function aboutExternals({ path, externals }: Built, cwd: string, isCopied: boolean): string {
  const list = externals.map(({ name, version = '', reason }) => `  ${`${name} ${version}`.trimEnd()} (${reason})\n`);
  const folder = relative(cwd, join(dirname(path), 'node_modules'));
  if (isCopied) return `Not in the file, but copied with what they need into ${folder}:\n${list.join('')}`;
  const specs = externals.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`));
  return `Not in the file, and needed in node_modules beside it or in a folder above:\n${list.join('')}Where they are missing: npm install ${specs.join(' ')}\n`;
}

function addPackage(name: string, earlier: readonly string[] = []): readonly string[] {
  if (!/^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(name)) throw new InvalidArgumentError('expected the name of a package');
  return [...earlier, name];
}
