import type { App } from '../../app/app.ts';
import { createApp } from '../../app/create-app.ts';
import { bindModule } from '../../sources/module/bind-module.ts';
import type { ModuleDescription } from '../../sources/module/description.ts';
import type { AppFacts } from './app-facts.ts';

/** A module that was read and imported. */
export type ReadModule = readonly [description: ModuleDescription, exports: Readonly<Record<string, unknown>>];

/** The app of plain modules. Built apps call this, too: it needs neither the sources nor a compiler. */
export function plainApp({ name, version }: AppFacts, modules: readonly ReadModule[]): App {
  const functions = modules.flatMap(([description, exports]) => bindModule(description, exports));
  // Who serves plain functions has not been asked for descriptions; `everywire schema` shows which are missing.
  return createApp({ name, version, functions, descriptions: 'optional' });
}
