import { resolve } from 'node:path';
import type { App } from '../app/app.ts';
import { loadApp } from '../load/load-app.ts';
import { reportRecords } from '../load/record-file.ts';
import { whileLoading } from './while-loading.ts';

/** Loads the app of a module that was named on the command line. */
export async function loadModule(module: string): Promise<App> {
  const app = await whileLoading(module, () => loadApp(module));
  if (ELSEWHERE.has(process.argv[2] ?? '')) reportRecords(app, resolve(module));
  return app;
}

/** Wires that a server does not serve: what they answer is shown in its console, too. */
const ELSEWHERE = new Set(['call', 'cgi', 'mcp']);
