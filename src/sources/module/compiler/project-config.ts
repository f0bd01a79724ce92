import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where a file is looked for. */
interface Looker {
  isFile(path: string): boolean;
}

/** Which libraries the compiler reads: the DOM and @types take half a second, and most modules name nothing in them. */
export type Libraries = 'language' | 'all';

/** In the module's folder, so that relative paths mean the same. It exists for the compiler only. */
export function configPath(modulePath: string): string {
  return `${dirname(modulePath)}/.everywire.tsconfig.json`; // with slashes, as compilers ask for it
}

/** Declares what a module may use without an import, so that it need not know us. A declaration of its own hides this one. */
function globalsPath(modulePath: string): string {
  return `${dirname(modulePath)}/.everywire.globals.d.ts`;
}

/** The same as in schema/int.ts. */
const GLOBALS = "type int = number & { 'json-schema'?: { type: 'integer' } };";

/**
 * Files that exist for the compiler only. Also this package, if the module cannot find it by itself: a command may run outside of
 * any project. Not with `paths`, which would replace those of the project.
 */
export function virtualFiles(modulePath: string, projectFile: string | undefined, libraries: Libraries) {
  const own = ownModule(modulePath);
  const folder = `${dirname(modulePath)}/node_modules/everywire`;
  return new Map([
    [configPath(modulePath), projectConfig(modulePath, projectFile, libraries)],
    [globalsPath(modulePath), GLOBALS],
    ...(own === undefined
      ? []
      : ([
          [`${folder}/package.json`, '{ "name": "everywire", "types": "./index.d.ts" }'],
          [`${folder}/index.d.ts`, `export * from ${JSON.stringify(own)};`],
        ] as const)),
  ]);
}

/** A configuration that reads one module with the options of its project. */
function projectConfig(modulePath: string, projectFile: string | undefined, libraries: Libraries): string {
  return JSON.stringify({
    ...(projectFile && { extends: projectFile }),
    compilerOptions: {
      ...(projectFile ? {} : DEFAULTS),
      ...(libraries === 'language'
        ? { lib: ['esnext'], types: [] }
        : projectFile
          ? {}
          : { lib: ['esnext', 'dom', 'dom.iterable'], types: ['node'] }),
      ...(/\.[cm]?jsx?$/.test(modulePath) && { allowJs: true, checkJs: true }),
      ...ALWAYS,
    },
    files: [modulePath, globalsPath(modulePath)],
    include: [],
    references: [],
  });
}

const DEFAULTS = {
  target: 'esnext',
  module: 'preserve',
  moduleResolution: 'bundler',
  resolveJsonModule: true,
  strict: true,
};

const ALWAYS = {
  // Without it, `string | undefined` is `string`.
  strictNullChecks: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
  composite: false,
  incremental: false,
  declaration: false,
  emitDeclarationOnly: false,
  isolatedDeclarations: false,
  maxNodeModuleJsDepth: 0,
};

export function findProjectFile(modulePath: string, files: Looker): string | undefined {
  for (let folder = dirname(modulePath); ; folder = dirname(folder)) {
    const file = `${folder === '/' ? '' : folder}/tsconfig.json`;
    if (files.isFile(file)) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The entry of this package, next to which its types are; undefined if the module finds the package by itself. */
function ownModule(modulePath: string): string | undefined {
  if (canResolve(modulePath)) return undefined;
  try {
    return createRequire(import.meta.url)
      .resolve('everywire')
      .replaceAll('\\', '/');
  } catch {
    return undefined;
  }
}

function canResolve(modulePath: string): boolean {
  try {
    createRequire(modulePath).resolve('everywire/package.json');
    return true;
  } catch {
    return false;
  }
}
