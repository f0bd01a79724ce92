import { basename, resolve } from 'node:path';
import type { App } from '../../app/app.ts';

/** MCP client applications whose configuration we can write. */
export const clients = ['claude-desktop', 'claude-code', 'vscode', 'cursor', 'generic'] as const;

export type Client = (typeof clients)[number];

interface ClientFacts {
  /** The file that the snippet goes into. */
  readonly file: string;
  /** The key that lists the servers. */
  readonly key: string;
  /** Fields that every entry has in addition to the command. */
  readonly more: object;
  /** Whether it rejects the whole list of tools if one name has a dot. */
  readonly rejectsDots: boolean;
}

export const clientFacts: Readonly<Record<Client, ClientFacts>> = {
  'claude-desktop': { file: 'claude_desktop_config.json', key: 'mcpServers', more: {}, rejectsDots: true },
  'claude-code': { file: '.mcp.json', key: 'mcpServers', more: { type: 'stdio' }, rejectsDots: true },
  vscode: { file: '.vscode/mcp.json', key: 'servers', more: { type: 'stdio' }, rejectsDots: false },
  cursor: { file: '.cursor/mcp.json', key: 'mcpServers', more: {}, rejectsDots: false },
  generic: { file: 'the configuration of your MCP client', key: 'mcpServers', more: {}, rejectsDots: false },
};

/** A warning for clients that we do not know, if a tool name has a dot. */
export function dotWarning(app: App): string | undefined {
  if (!hasDots(app)) return undefined;
  const rejecting = clients.filter((client) => clientFacts[client].rejectsDots);
  return `${rejecting.join(' and ')} reject tool names with a dot; for them, use --names portable`;
}

/** The snippet for a client. All paths are absolute, since clients start the server from any folder. */
export function configFor(client: Client, app: App, module: string, options: readonly string[] = []): string {
  const { key, more, rejectsDots } = clientFacts[client];
  const path = resolve(module);
  const args = [
    resolve(process.argv[1] ?? 'everywire'),
    'mcp',
    path,
    ...(rejectsDots && hasDots(app) ? ['--names', 'portable'] : []),
    ...options,
  ];
  const file = basename(path).replace(/\.[cm]?[jt]sx?$/, '');
  const name = file === 'app' ? basename(resolve(path, '..')) : file;
  return JSON.stringify({ [key]: { [name]: { ...more, command: process.execPath, args } } }, null, 2);
}

function hasDots({ functions }: App): boolean {
  return functions.some(({ operationId }) => operationId.includes('.'));
}
