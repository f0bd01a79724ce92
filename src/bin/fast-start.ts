import type { App } from '../app/app.ts';
import type { Process } from './process.ts';
import { reportErrors } from './report-error.ts';

/**
 * Commands that start without loading an option parser, for when there are no options. CGI starts a process for each request,
 * and MCP clients wait for the server to start. It saves 21 of 81 ms from source and 13 of 48 ms of a built app
 * (`npm run bench -- --only tricks`).
 */
export const FAST_STARTS: ReadonlyMap<string, (proc: Process, load: () => Promise<App>) => Promise<void>> = new Map([
  ['cgi', async (proc, load) => (await import('./commands/run-cgi.ts')).respondToCgi(proc, load, {})],
  [
    'mcp',
    async (proc, load) => {
      const serve = async () => (await import('./commands/run-mcp.ts')).serveOnStdio(proc, load, {});
      const code = await reportErrors(proc, serve);
      if (code !== undefined) proc.end(code);
    },
  ],
]);
