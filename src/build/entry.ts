import { basename } from 'node:path';
import { ModuleError } from '../load/module-error.ts';
import type { LoadedPlain } from '../load/plain/load-plain.ts';
import type { UsedModule } from '../load/plain/used-modules.ts';

/** What a build begins with, as code. */
export interface Entry {
  /** A module that exports the app. */
  readonly exporting: (home: string) => string;
  /** An expression for the app, in a module that may await. */
  readonly awaiting: (home: string) => string;
}

export const FROZEN = '\0everywire:frozen';

/** The app that a module exports by this name. */
export function appEntry(module: string, exportName: string, used: readonly UsedModule[]): Entry {
  const first = used.length > 0 ? `import ${text(FROZEN)};\n` : '';
  const before = used.length > 0 ? `await import(${text(FROZEN)}), ` : '';
  return {
    exporting: () => `${first}export { ${exportName} as default } from ${text(module)};`,
    awaiting: () => `(${before}(await import(${text(module)})).${exportName})`,
  };
}

/** The app of plain modules. What was read in them is in the build, so that no compiler is needed to start it. */
export function plainEntry({ facts, modules }: LoadedPlain): Entry {
  const app = (exportsOf: (path: string, i: number) => string) =>
    `plainApp(${text(facts)}, [${modules.map(({ path, description }, i) => `[${data(description)}, ${exportsOf(path, i)}]`).join(', ')}])`;
  return {
    exporting: (home) =>
      [
        `import { plainApp } from ${text(PLAIN_APP(home))};`,
        ...modules.map(({ path }, i) => `import * as module${i} from ${text(path)};`),
        `export default ${app((_path, i) => `module${i}`)};`,
      ].join('\n'),
    awaiting: (home) => `(await import(${text(PLAIN_APP(home))})).${app((path) => `await import(${text(path)})`)}`,
  };
}

/** A module that hands modules over to fromModule, which otherwise would look for their files. */
export function frozenModules(home: string, used: readonly UsedModule[]): string {
  const names = used.map(({ path }) => basename(path));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new ModuleError(
      `the app reads two modules of the name ${twice}, and a build cannot tell them apart; rename one`,
    );
  return [
    `import { freezeModule } from ${text(`${home}/dist/load/plain/frozen-modules.js`)};`,
    ...used.map(({ path }, i) => `import * as module${i} from ${text(path)};`),
    ...used.map(({ description }, i) => `freezeModule(${text(names[i])}, ${data(description)}, module${i});`),
  ].join('\n');
}

const PLAIN_APP = (home: string) => `${home}/dist/load/plain/plain-app.js`;

const text = (value: unknown) => JSON.stringify(value);

/** Not as a literal: `__proto__` would mean something else there, and V8 parses JSON faster. */
const data = (value: unknown) => `JSON.parse(${text(text(value))})`;
