import { devDependencies } from './dev-dependencies.ts';
import { modulePath } from './project.ts';
import type { Project } from './project.ts';

/** package.json */
export function manifest(project: Project): string {
  const module = modulePath(project);
  return toJson({
    name: project.name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev: `everywire dev ${module}`,
      start: `everywire serve ${module}`,
      // The shell, or Node 21 and later, replaces the pattern.
      test: 'node --import jiti/register --test test/*.test.ts',
      check: 'tsc',
      build: `everywire build ${module} --out dist/app.mjs`,
    },
    dependencies: { everywire: project.everywire },
    devDependencies,
    engines: { node: '>=20.19' },
  });
}

/** tsconfig.json, for TypeScript 5.9, 6 and 7. */
export const tsconfig = toJson({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['src', 'test'],
});

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
