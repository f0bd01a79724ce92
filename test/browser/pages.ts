import { rolldown } from 'rolldown';
import { startServer, type Server } from '../access/issuer.ts';

/** A server of pages: empty ones at `/`, and scripts by name. */
export const servePages = (scripts: ReadonlyMap<string, string>): Promise<Server> =>
  startServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    const type = script === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
    response.end(script ?? '<!doctype html><title>Page</title><body>');
  });

/** A module as one script for browsers, with everything that it imports. */
export async function bundleForBrowser(source: string): Promise<string> {
  const build = await rolldown({
    input: 'page',
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? `${process.cwd()}/test/browser/page.js` : undefined),
        load: (id) => (id.endsWith('/test/browser/page.js') ? source : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  return output[0].code;
}
