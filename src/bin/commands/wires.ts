import type { Command } from 'commander';
import type { Process } from '../process.ts';
import type { AppSource } from './app-source.ts';
import { cgiCommand } from './cgi.ts';
import { mcpCommand } from './mcp.ts';
import { openApiCommand } from './openapi.ts';
import { serveCommand } from './serve.ts';

/** The commands that need only the app, by name. */
export const WIRES: ReadonlyMap<string, (proc: Process, source: AppSource) => Command> = new Map([
  ['serve', serveCommand],
  ['mcp', mcpCommand],
  ['cgi', cgiCommand],
  ['openapi', openApiCommand],
]);
