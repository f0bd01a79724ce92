import type { App } from '../app/app.ts';
import { loadModules } from '../load/load-app.ts';
import { describeRefusals, refusalsFor, refusalsOf } from '../load/plain/refusals.ts';
import type { Refusal } from '../load/plain/refusals.ts';
import { reportRecords } from '../load/record-file.ts';
import type { Process } from './process.ts';
import { whileLoading } from './while-loading.ts';

/** Loads the app of the modules that were named on the command line, and says what it does not serve of them. */
export async function loadModule(proc: Process, ...modules: readonly string[]): Promise<App> {
  const named = modules.map((shown) => ({ path: proc.resolve(shown), shown, query: proc.moduleQuery }));
  const app = await whileLoading(proc, modules.join(' '), () => loadModules(named));
  await warnOfRefusals(proc, refusalsToShow(proc, app));
  if (ELSEWHERE.has(proc.argv[2] ?? '')) reportRecords(app, named[0]?.path ?? '');
  return app;
}

/** A process that serves one call warns only of the function that is asked for; `call` says it where it answers. */
function refusalsToShow(proc: Process, app: App): readonly Refusal[] {
  const [command, path = ''] = [proc.argv[2], proc.env['PATH_INFO']];
  if (command === 'call') return [];
  return command === 'cgi' ? refusalsFor(app, [path.replace(/^\/(?:functions\/)?/, '')]) : refusalsOf(app);
}

export async function warnOfRefusals(proc: Process, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length > 0) proc.printWarning(await describeRefusals(refusals));
}

/** Wires that a server does not serve: what they answer is shown in its console, too. */
const ELSEWHERE = new Set(['call', 'cgi', 'mcp']);
