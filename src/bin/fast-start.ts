import type { App } from '../app/app.ts';
import { endProcess } from './end-process.ts';
import { reportErrors } from './report-error.ts';

/**
 * Commands that start without loading an option parser, for when there are no options. CGI starts a process for each request,
 * and MCP clients wait for the server to start. It saves 21 of 81 ms from source and 13 of 48 ms of a built app
 * (`npm run bench -- --only tricks`).
 */
export const FAST_STARTS: ReadonlyMap<string, (load: () => Promise<App>) => Promise<void>> = new Map([
  ['cgi', async (load) => (await import('./commands/run-cgi.ts')).respondToCgi(load, {})],
  [
    'mcp',
    async (load) => {
      const code = await reportErrors(async () => (await import('./commands/run-mcp.ts')).serveOnStdio(load, {}));
      if (code !== undefined) endProcess(code);
    },
  ],
]);
