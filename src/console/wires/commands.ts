import { parseJson } from '../../schema/parse-json.ts';
import { LEGACY, MODERN, headersFor, messageOf } from '../mcp/rpc.ts';
import type { Revision } from '../mcp/rpc.ts';
import { base, token } from '../server.ts';
import type { AppFacts, Details } from '../types.ts';
import { clientCode, processCode, pythonCode } from './programs.ts';
import { flagWords } from './server-flags.ts';
import { quoted, withText } from './shell.ts';

export interface Command {
  readonly label: string;
  /** Only the one that is shown: arguments may be megabytes. */
  readonly write: () => string;
}

/** The same call on every wire, to copy. The token of the page is not in it: a variable stands for it. */
export function commandsFor(fn: Details, app: AppFacts, body: string): readonly Command[] {
  const url = `${base}functions/${encodeURIComponent(fn.name)}`;
  const { module, flags } = app;
  const bearer = token.value === '' ? '' : ' -H "Authorization: Bearer $EVERYWIRE_TOKEN"';
  return [
    { label: 'curl', write: () => withText(body, (word) => `curl -s${bearer} --json ${word} ${quoted(url)}`, '@-') },
    ...(module === undefined
      ? []
      : [{ label: 'Command line', write: () => callCommand(fn, module, flagWords(flags), body) }]),
    ...([MODERN, LEGACY] as const).map((revision) => ({
      label: `MCP ${revision}`,
      write: () => mcpCommand(fn, body, revision, bearer),
    })),
    ...(module === undefined ? [] : [{ label: 'CGI', write: () => cgiCommand(fn, module, flagWords(flags), body) }]),
    { label: 'Typed client', write: () => clientCode(fn, app, body) },
    ...(module === undefined ? [] : [{ label: 'In process', write: () => processCode(fn, module, app, body) }]),
    { label: 'Python', write: () => pythonCode(url, parsed(body)) },
  ];
}

/** It reads EVERYWIRE_TOKEN itself. */
function callCommand(fn: Details, module: string, flags: string, body: string): string {
  const program = `npx everywire call${flags} ${quoted(module)} ${quoted(fn.name)}`;
  return withText(body, (word) => `${program} --input ${word} --json`, '-');
}

function mcpCommand(fn: Details, body: string, revision: Revision, bearer: string): string {
  const headers = Object.entries(headersFor(revision, 'tools/call', fn.operationId))
    .filter(([name]) => name !== 'content-type' && name !== 'accept')
    .map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  const params = { name: fn.operationId, arguments: parsed(body) };
  const message = messageOf(revision, 'tools/call', params);
  const accept = " -H 'accept: application/json, text/event-stream' -H 'content-type: application/json'";
  const program = `curl -s${bearer}${accept}${headers.join('')}`;
  return withText(message, (word) => `${program} -d ${word} ${quoted(`${base}mcp`)}`, '@-');
}

function cgiCommand(fn: Details, module: string, flags: string, body: string): string {
  const length = new TextEncoder().encode(body).length;
  return [
    `printf %s ${quoted(body)} |`,
    `  REQUEST_METHOD=POST PATH_INFO=${quoted(`/functions/${fn.name}`)} \\`,
    `  CONTENT_TYPE=application/json CONTENT_LENGTH=${length} \\`,
    ...(token.value === '' ? [] : [`  HTTP_AUTHORIZATION="Bearer $EVERYWIRE_TOKEN" \\`]),
    `  npx everywire cgi ${quoted(module)}${flags}`,
  ].join('\n');
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return {};
  }
}
