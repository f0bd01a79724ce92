import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import QuietReporter from './test/kit/reporter.ts';

const UNIT = ['test/unit/**/*.test.ts', 'test/responses/**/*.test.ts'];

const SHOP = 'examples/shop/**/*.test.ts';
const MEASURED = 'test/reliability/work-per-byte.test.ts';
const isFull = process.env['EVERYWIRE_FULL'] === '1';

// What tests reach in src can be counted in this process only; the built package and the processes of tests do not count.
const isCoverage = process.argv.includes('--coverage');

const options = {
  // For what hangs. In full size, tests compete with browsers, web servers and installs.
  testTimeout: isFull ? 180_000 : 60_000,
  hookTimeout: isFull ? 180_000 : 60_000,
  maxConcurrency: 4,
  // A busy machine may take longer than a second, which is the default.
  expect: { poll: { timeout: 30_000 } },
  setupFiles: 'test/kit/setup.ts',
  // Importing costs more than most files take. Files stop what they start, and restore what they change.
  isolate: false,
};

export default defineConfig({
  test: {
    projects: [
      // Needs no build: a change in src is seen at once. These tests start no process.
      project('unit', { include: UNIT }, true),
      // What is published: the built package, by its public name.
      project(
        'built',
        {
          include: ['{test,examples}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...UNIT, SHOP, MEASURED, ...(isFull ? [] : ['**/*.full.test.ts'])],
        },
        isCoverage,
      ),
      // Measures CPU time, which is longer while another core is busy: runs after all other files, alone.
      project('measured', { include: [MEASURED], sequence: { groupOrder: 1 } }, false),
      // An example for users, whose files know nothing about sharing a process.
      ...(isFull ? [project('shop', { include: [SHOP], isolate: true }, false)] : []),
    ],
    globalSetup: 'test/kit/run.ts',
    reporters: [new QuietReporter()],
    // Many tests wait for processes of their own; with one for each core, the cores would wait, too.
    maxWorkers: isFull ? 3 : 4,
    coverage: {
      provider: 'custom',
      // Resolved by path, since it is a package of the tests and not of the root.
      customProviderModule: 'test/node_modules/@vitest/coverage-v8/dist/index.js',
      include: ['src/**/*.ts'],
      // It runs in a browser.
      exclude: ['src/console/**'],
      reporter: ['text-summary', 'json'],
    },
  },
});

function project(name: string, files: object, isSource: boolean): TestProjectInlineConfiguration {
  return {
    test: { name, ...options, ...files, server: { deps: { external: [/\/dist\//] } } },
    resolve: { alias: isSource ? sources() : [] },
  };
}

/** The entries of package.json as they are in src. */
function sources(): { find: RegExp; replacement: string }[] {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, { default?: string }>;
  };
  const entries = Object.entries(exports).flatMap(([name, { default: file }]) =>
    file ? [[name.replace('.', 'everywire'), file] as const] : [],
  );
  return [
    ...entries,
    ['#command', './dist/bin/run-module.js'] as const,
    ['#redis', './dist/rate/redis-store.js'] as const,
    ['#tasks-store', './dist/tasks/shared-tasks.js'] as const,
    ['#share', './dist/share/redis-state.js'] as const,
    ['#optional', './dist/optional.js'] as const,
  ].map(([name, file]) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(new URL(file.replace('/dist/', '/src/').replace('.js', '.ts'), import.meta.url)),
  }));
}
