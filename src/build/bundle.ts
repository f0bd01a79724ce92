import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';
import type { App } from '../app.ts';
import type { Part } from './pack.ts';
import { LATE, verdictsModule } from './verdicts.ts';

export interface Bundle {
  readonly parts: readonly Part[];
  /** The files it was made of. */
  readonly inputs: readonly string[];
}

const ENTRY = '\0everywire:entry';

/** A module and all it imports, in parts: what is imported only now and then is a part of its own. */
export async function bundle(module: string, exportName: string, app: App): Promise<Bundle> {
  const { rolldown } = await import('rolldown');
  const validator = join(homeOf(module), 'dist/schema/validator.js');
  const build = await rolldown({
    input: { main: ENTRY, late: validator },
    platform: 'node',
    cwd: dirname(module),
    // They compile modules that are named on the command line, and a built app has its own in it.
    external: ['jiti', 'rolldown', LATE],
    plugins: [entry(module, exportName), verdicts(validator, app)],
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'EVAL') console.error(log.message);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'cjs',
      exports: 'named',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      minify: { compress: true, mangle: true },
      comments: false,
    });
    const chunks = output.filter((one) => one.type === 'chunk');
    return {
      parts: chunks.map(({ fileName, code }) => ({ name: fileName, code })),
      inputs: chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => !id.startsWith('\0')),
    };
  } finally {
    await build.close();
  }
}

/** The copy of this package that the module imports, which need not be the one that builds it. */
function homeOf(module: string): string {
  return dirname(createRequire(module).resolve('everywire/package.json'));
}

function entry(module: string, exportName: string): Plugin {
  return {
    name: 'everywire:entry',
    resolveId: (id) => (id === ENTRY ? id : undefined),
    load: (id) => (id === ENTRY ? `export { ${exportName} as default } from ${JSON.stringify(module)};` : undefined),
  };
}

/** Puts the verdicts in the validator's place, except for the part that keeps it as it was. */
function verdicts(validator: string, app: App): Plugin {
  const VERDICTS = '\0everywire:verdicts.cjs';
  return {
    name: 'everywire:verdicts',
    async resolveId(id, importer, options) {
      if (options.isEntry || importer === undefined) return undefined;
      const found = await this.resolve(id, importer, { skipSelf: true });
      return found?.id === validator ? VERDICTS : undefined;
    },
    load: (id) => (id === VERDICTS ? { code: verdictsModule(app), moduleType: 'js' } : undefined),
  };
}
