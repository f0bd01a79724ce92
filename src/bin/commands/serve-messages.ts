import type { App } from '../../app/app.ts';
import { isLoopback } from '../../hosts/default-hosts.ts';
import type { NodeHost, ServeOptions } from '../../hosts/node.ts';
import { banner } from '../banner.ts';

/** What is printed when an app is served. */
export function greeting(app: App, { url, consoleUrl }: Pick<NodeHost, 'url' | 'consoleUrl'>, processes = 1): string {
  const lines = [
    banner(app),
    '',
    `  HTTP      ${url}/functions/<name>`,
    `  OpenAPI   ${url}/openapi.json`,
    `  MCP       ${url}/mcp`,
    ...(processes > 1 ? [`  Processes ${processes}`] : []),
    ...(consoleUrl === undefined ? [] : [`  Console   ${consoleUrl}`]),
    '',
  ];
  const fn = app.functions.find(({ definition }) => definition.examples?.[0]);
  const example = JSON.stringify(fn?.definition.examples?.[0]?.input);
  if (fn && !example.includes("'")) {
    lines.push(
      'Try:',
      `  curl ${url.startsWith('https') ? '--insecure ' : ''}--json '${example}' ${url}/functions/${fn.name}`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A warning if everybody on the network is a caller, and nothing asks who they are. */
export function openToAll(app: App, url: string, address: string): string | undefined {
  if (app.access || isLoopback(address)) return undefined;
  return `everybody who can reach ${url} can call every function; createApp({ access: { … } }) says who may (docs/access.md)`;
}

export function listenError(
  { code, message }: NodeJS.ErrnoException,
  { port, host }: Pick<ServeOptions, 'port' | 'host'>,
): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port`;
  if (code === 'EACCES') return `not allowed to listen on port ${port}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is not an address of this machine`;
  return message;
}
