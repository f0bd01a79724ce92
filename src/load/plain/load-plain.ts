import type { App } from '../../app/app.ts';
import { rememberPlain } from '../app-origin.ts';
import { ModuleError } from '../module-error.ts';
import { factsOf } from './app-facts.ts';
import type { AppFacts } from './app-facts.ts';
import { plainApp } from './plain-app.ts';
import { readModules } from './read-modules.ts';
import type { ReadModules } from './read-modules.ts';
import { describeRefusals, rememberRefusals } from './refusals.ts';
import { withoutUnservable } from './without-unservable.ts';

/** Modules that export functions and no app. */
export interface PlainModules {
  /** What was named: the file, the folder, or nothing for several. */
  readonly given: string;
  readonly shown: string;
  readonly modules: readonly { readonly path: string; readonly exports: Readonly<Record<string, unknown>> }[];
}

export interface LoadedPlain extends ReadModules {
  readonly app: App;
  readonly facts: AppFacts;
}

/** The app of plain modules. Undefined if there is nothing in them that could be a function. */
export async function loadPlain({ given, shown, modules }: PlainModules): Promise<LoadedPlain | undefined> {
  const paths = modules.map(({ path }) => path);
  const read = withoutUnservable(
    await readModules(paths),
    modules.map(({ exports }) => exports),
    false,
  );
  const count = read.modules.reduce((sum, { description }) => sum + description.functions.length, 0);
  if (count === 0 && read.refusals.length === 0) return undefined;
  if (count === 0) throw new ModuleError(`${shown} cannot be served: ${await describeRefusals(read.refusals)}`);
  const facts = factsOf(paths, given);
  const app = plainApp(
    facts,
    read.modules.map(({ description }, i) => [description, modules[i]!.exports]),
  );
  rememberPlain(app);
  rememberRefusals(app, read.refusals);
  return { app, facts, ...read };
}
