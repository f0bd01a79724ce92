import { LEGACY, MODERN, headersFor, messageOf } from '../mcp/rpc.ts';
import type { Revision } from '../mcp/rpc.ts';
import { base, token } from '../server.ts';
import type { AppFacts, Details } from '../types.ts';
import { pythonOf } from './python.ts';

export interface Command {
  readonly label: string;
  /** Only the one that is shown: arguments may be megabytes. */
  readonly write: () => string;
}

/** Text as one word of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same call on every wire, to copy. The token of the page is not in it: a variable stands for it. */
export function commandsFor(fn: Details, app: AppFacts, body: string): readonly Command[] {
  const url = `${base}functions/${encodeURIComponent(fn.name)}`;
  const { module } = app;
  const bearer = token.value === '' ? '' : ' -H "Authorization: Bearer $EVERYWIRE_TOKEN"';
  return [
    { label: 'curl', write: () => `curl -s${bearer} --json ${quoted(body)} ${quoted(url)}` },
    ...(module === undefined ? [] : [{ label: 'Command line', write: () => callCommand(fn, module, body) }]),
    ...([MODERN, LEGACY] as const).map((revision) => ({
      label: `MCP ${revision}`,
      write: () => mcpCommand(fn, body, revision, bearer),
    })),
    ...(module === undefined ? [] : [{ label: 'CGI', write: () => cgiCommand(fn, module, body) }]),
    { label: 'Typed client', write: () => clientCode(fn, app, body) },
    ...(module === undefined ? [] : [{ label: 'In process', write: () => processCode(fn, module, app, body) }]),
    { label: 'Python', write: () => pythonCode(url, body) },
  ];
}

function callCommand(fn: Details, module: string, body: string): string {
  return `npx everywire call ${quoted(module)} ${quoted(fn.name)} --input ${quoted(body)} --json`;
}

function mcpCommand(fn: Details, body: string, revision: Revision, bearer: string): string {
  const headers = Object.entries(headersFor(revision, 'tools/call', fn.operationId))
    .filter(([name]) => name !== 'content-type' && name !== 'accept')
    .map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  const params = { name: fn.operationId, arguments: parsed(body) };
  const message = messageOf(revision, 'tools/call', params);
  const accept = " -H 'accept: application/json, text/event-stream' -H 'content-type: application/json'";
  return `curl -s${bearer}${accept}${headers.join('')} -d ${quoted(message)} ${quoted(`${base}mcp`)}`;
}

function cgiCommand(fn: Details, module: string, body: string): string {
  const length = new TextEncoder().encode(body).length;
  return [
    `printf %s ${quoted(body)} |`,
    `  REQUEST_METHOD=POST PATH_INFO=${quoted(`/functions/${fn.name}`)} \\`,
    `  CONTENT_TYPE=application/json CONTENT_LENGTH=${length} \\`,
    `  npx everywire cgi ${quoted(module)}`,
  ].join('\n');
}

/** Types come from a module that exports its app. */
function clientCode(fn: Details, { module, isPlain }: AppFacts, body: string): string {
  const isTyped = module !== undefined && !isPlain;
  const access = token.value === '' ? '' : ', { auth: process.env.EVERYWIRE_TOKEN }';
  return [
    `import { createClient } from 'everywire/client';`,
    ...(isTyped ? [`import type app from ${literal(module)};`] : []),
    '',
    `const client = createClient${isTyped ? '<typeof app>' : ''}(${literal(base.replace(/\/$/, ''))}${access});`,
    `const outcome = await client.call(${literal(fn.name)}, ${code(body)});`,
    `console.log(outcome.ok ? outcome.data : outcome.error);`,
  ].join('\n');
}

function processCode(fn: Details, module: string, { isPlain }: AppFacts, body: string): string {
  const load = isPlain
    ? [`import { loadApp } from 'everywire/node';`, '', `const app = await loadApp(${literal(module)});`]
    : [`import app from ${literal(module)};`, ''];
  return [
    ...load,
    `const outcome = await app.call(${literal(fn.name)}, ${code(body)});`,
    `console.log(outcome.ok ? outcome.data : outcome.error);`,
  ].join('\n');
}

function pythonCode(url: string, body: string): string {
  const headers = token.value === '' ? '' : `, headers={"Authorization": "Bearer " + os.environ["EVERYWIRE_TOKEN"]}`;
  return [
    ...(headers === '' ? [] : ['import os']),
    'import requests',
    '',
    `response = requests.post(${pythonOf(url)}, json=${pythonOf(parsed(body))}${headers})`,
    'print(response.text)',
  ].join('\n');
}

const literal = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;

/** JSON is an expression of JavaScript, except for a key that would set the prototype. */
const code = (body: string) => body.replaceAll('"__proto__":', '["__proto__"]:');

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
