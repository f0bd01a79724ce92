import { realpathSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
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
  /** How the file refers to the folder it is in; undefined if the file is not part of a project. */
  readonly projectFolder?: string;
}

export const clientFacts: Readonly<Record<Client, ClientFacts>> = {
  'claude-desktop': { file: 'claude_desktop_config.json', key: 'mcpServers', more: {}, rejectsDots: true },
  'claude-code': {
    file: '.mcp.json',
    key: 'mcpServers',
    more: { type: 'stdio' },
    rejectsDots: true,
    projectFolder: '.',
  },
  vscode: {
    file: '.vscode/mcp.json',
    key: 'servers',
    more: { type: 'stdio' },
    rejectsDots: false,
    projectFolder: '${workspaceFolder}',
  },
  cursor: {
    file: '.cursor/mcp.json',
    key: 'mcpServers',
    more: {},
    rejectsDots: false,
    projectFolder: '${workspaceFolder}',
  },
  generic: { file: 'the configuration of your MCP client', key: 'mcpServers', more: {}, rejectsDots: false },
};

/** Clients whose configuration can be part of a project. */
export const projectClients = clients.filter((client) => clientFacts[client].projectFolder !== undefined);

/** The configuration file of a client, as part of a project: everybody who works on it has everywire in its node_modules. */
export function projectConfig(client: Client, name: string, module: string): string {
  const { projectFolder, rejectsDots } = clientFacts[client];
  const args = [`${projectFolder}/${COMMAND}`, 'mcp', `${projectFolder}/${module}`];
  return configText(client, name, 'node', [...args, ...(rejectsDots ? ['--names', 'portable'] : [])]);
}

/** Not npx, which needs a shell on Windows, and takes longer. */
const COMMAND = 'node_modules/everywire/dist/bin/everywire.js';

/** A warning for clients that we do not know, if a tool name has a dot. */
export function dotWarning(app: App): string | undefined {
  if (!hasDots(app)) return undefined;
  const rejecting = clients.filter((client) => clientFacts[client].rejectsDots);
  return `${rejecting.join(' and ')} reject tool names with a dot; for them, use --names portable`;
}

/** The snippet for a client. All paths are absolute, since clients start the server from any folder. */
export function configFor(
  client: Client,
  app: App,
  { program, module }: { readonly program: string; readonly module: string },
  options: readonly string[] = [],
): string {
  const { rejectsDots } = clientFacts[client];
  const args = [
    lasting(program),
    'mcp',
    module,
    ...(rejectsDots && hasDots(app) ? ['--names', 'portable'] : []),
    ...options,
  ];
  const file = basename(module).replace(/\.[cm]?[jt]sx?$/, '');
  const name = file === 'app' ? basename(dirname(module)) : file;
  return configText(client, name, process.execPath, args);
}

/** npx starts a package that is not installed here through a link in its cache, which npm may clean at any time. */
function lasting(program: string): string {
  const path = resolve(program);
  return path.includes(`${sep}_npx${sep}`) ? realpathSync(path) : path;
}

function configText(client: Client, name: string, command: string, args: readonly string[]): string {
  const { key, more } = clientFacts[client];
  return JSON.stringify({ [key]: { [name]: { ...more, command, args } } }, null, 2);
}

function hasDots({ functions }: App): boolean {
  return functions.some(({ operationId }) => operationId.includes('.'));
}
