import type { App } from '../app/app.ts';
import { endProcess } from './end-process.ts';
import { complainToPeople } from './report-error.ts';

/**
 * Wires as they are served without any options: there is nothing to parse then, and a process that was started for one
 * request, or by somebody who waits for its first word, should not load a parser to find that out.
 */
export const WITHOUT_OPTIONS: ReadonlyMap<string, (load: () => Promise<App>) => Promise<void>> = new Map([
  ['cgi', async (load) => (await import('./commands/run-cgi.ts')).respondToCgi(load, {})],
  [
    'mcp',
    async (load) => {
      const code = await complainToPeople(async () => (await import('./commands/run-mcp.ts')).serveOnStdio(load, {}));
      if (code !== undefined) endProcess(code);
    },
  ],
]);
