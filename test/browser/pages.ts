import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rolldown } from 'rolldown';

/** A server of pages: empty ones at `/`, and scripts by name. */
export interface Pages {
  readonly port: number;
  close(): void;
}

export async function servePages(scripts: ReadonlyMap<string, string>): Promise<Pages> {
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    const type = script === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
    response.end(script ?? '<!doctype html><title>Page</title><body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

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
