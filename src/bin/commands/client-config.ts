import { basename, resolve } from 'node:path';

/** Hosts whose configuration we know how to write. */
export const hosts = ['claude-desktop', 'claude-code', 'vscode', 'cursor', 'generic'] as const;

export type Host = (typeof hosts)[number];

interface HostFacts {
  /** Where the snippet goes. */
  readonly file: string;
  /** The key that servers stand under. */
  readonly key: string;
  /** What every entry has beside the command. */
  readonly beside: object;
  /** Whether it refuses names of tools with a dot, and the whole list with them. */
  readonly refusesDots: boolean;
}

export const hostFacts: Readonly<Record<Host, HostFacts>> = {
  'claude-desktop': { file: 'claude_desktop_config.json', key: 'mcpServers', beside: {}, refusesDots: true },
  'claude-code': { file: '.mcp.json', key: 'mcpServers', beside: { type: 'stdio' }, refusesDots: true },
  vscode: { file: '.vscode/mcp.json', key: 'servers', beside: { type: 'stdio' }, refusesDots: false },
  cursor: { file: '.cursor/mcp.json', key: 'mcpServers', beside: {}, refusesDots: false },
  generic: { file: 'the configuration of your host', key: 'mcpServers', beside: {}, refusesDots: false },
};

/** Hosts that would drop an app's tools over a dot in a name. */
export function hostsThatRefuse(names: readonly string[]): readonly Host[] {
  return names.some((name) => name.includes('.')) ? hosts.filter((host) => hostFacts[host].refusesDots) : [];
}

/** The snippet for a host: the command by its whole path, since hosts start it from anywhere. */
export function configFor(
  host: Host,
  module: string,
  names: readonly string[],
  options: readonly string[] = [],
): string {
  const { key, beside, refusesDots } = hostFacts[host];
  const isPortable = refusesDots && hostsThatRefuse(names).length > 0;
  const server = basename(resolve(module)).replace(/\.[cm]?[jt]sx?$/, '');
  const args = [
    resolve(process.argv[1] ?? 'everywire'),
    'mcp',
    resolve(module),
    ...(isPortable ? ['--names', 'portable'] : []),
    ...options,
  ];
  const name = server === 'app' ? basename(resolve(module, '..')) : server;
  return JSON.stringify({ [key]: { [name]: { ...beside, command: process.execPath, args } } }, null, 2);
}
