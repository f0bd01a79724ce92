import type { App } from '../app/app.ts';
import { loadModules } from '../load/load-app.ts';
import { describeRefusals, refusalsOf } from '../load/plain/refusals.ts';
import { reportRecords } from '../load/record-file.ts';
import type { Process } from './process.ts';
import { whileLoading } from './while-loading.ts';

/** Loads the app of the modules that were named on the command line, and says what it does not serve of them. */
export async function loadModule(proc: Process, ...modules: readonly string[]): Promise<App> {
  const named = modules.map((shown) => ({ path: proc.resolve(shown), shown, query: proc.moduleQuery }));
  const app = await whileLoading(proc, modules.join(' '), () => loadModules(named));
  await warnOfRefusals(proc, app);
  if (ELSEWHERE.has(proc.argv[2] ?? '')) reportRecords(app, named[0]?.path ?? '');
  return app;
}

export async function warnOfRefusals(proc: Process, app: App): Promise<void> {
  // A class of values is said to be one when a server starts or a module is described, and not with every single call.
  const isOneCall = ONE_CALL.has(proc.argv[2] ?? '');
  const refusals = refusalsOf(app).filter((one) => !(isOneCall && one.isOfValue));
  if (refusals.length > 0) proc.printWarning(await describeRefusals(refusals));
}

/** Commands whose process serves one call. */
const ONE_CALL = new Set(['call', 'cgi']);

/** Wires that a server does not serve: what they answer is shown in its console, too. */
const ELSEWHERE = new Set(['call', 'cgi', 'mcp']);
