import { resolve } from 'node:path';
import type { App } from '../app/app.ts';
import { loadApp } from '../load/load-app.ts';
import { describeRefusals, refusalsOf } from '../load/plain/refusals.ts';
import { reportRecords } from '../load/record-file.ts';
import { printWarning } from '../stdout/stderr.ts';
import { whileLoading } from './while-loading.ts';

/** Loads the app of the modules that were named on the command line, and says what it does not serve of them. */
export async function loadModule(...modules: readonly string[]): Promise<App> {
  const app = await whileLoading(modules.join(' '), () => loadApp(modules));
  await warnOfRefusals(app);
  if (ELSEWHERE.has(process.argv[2] ?? '')) reportRecords(app, resolve(modules[0] ?? ''));
  return app;
}

export async function warnOfRefusals(app: App): Promise<void> {
  const refusals = refusalsOf(app);
  if (refusals.length > 0) printWarning(await describeRefusals(refusals));
}

/** Wires that a server does not serve: what they answer is shown in its console, too. */
const ELSEWHERE = new Set(['call', 'cgi', 'mcp']);
