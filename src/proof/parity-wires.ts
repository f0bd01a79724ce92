import { spawn } from 'node:child_process';
import type { App } from '../app/app.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { createEnvironment } from '../env/environment.ts';
import { Credentials } from '../core/credentials.ts';
import { serve } from '../hosts/node.ts';
import { fromFileResult } from '../responses/content/file-content.ts';
import { ERROR_META } from '../responses/profiles/error-meta.ts';
import { isRecord } from '../schema/json-schema.ts';
import { eachLine } from './each-line.ts';
import type { ParityAnswer, ParityCall, ParityWire } from './parity-wire.ts';
import { post } from './post.ts';

export interface WireOptions {
  readonly app: App;
  /** The program and arguments that start everywire. */
  readonly command: readonly [string, ...string[]];
  /** The module. `flags` are the options for variables and mounts. */
  readonly module: string;
  readonly flags: readonly string[];
  readonly environment: EnvironmentOptions;
  /** The caller's credential on every wire: a token or an API key. */
  readonly token?: string | undefined;
}

/** All wires: in this process, over sockets, and in child processes. */
export async function openWires(options: WireOptions): Promise<readonly ParityWire[]> {
  const host = await serve(options.app, { port: 0, ...options.environment });
  return [
    over('in process', (call) => inProcess(options, call)),
    { ...over('HTTP', (call) => overHttp(host.url, options, call)), close: async () => void (await host.drain()) },
    ...REVISIONS.map((revision) =>
      over(`MCP ${revision} over HTTP`, (call) => overMcpHttp(host.url, revision, options, call)),
    ),
    ...REVISIONS.map((revision) => openStdio(options, revision)),
    { ...over('CGI', (call) => asCgi(options, call)), isCostly: true },
    { ...over('command line', (call) => asCommand(options, call)), isCostly: true },
  ];
}

const over = (name: string, call: ParityWire['call']): ParityWire => ({ name, call, close: async () => {} });

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];

async function inProcess({ app, environment, token }: WireOptions, { function: name, input }: ParityCall) {
  const credentials = token === undefined ? undefined : new Credentials({ bearer: token });
  const call = { name, input, credentials, environment: createEnvironment(environment) };
  const answer = await app.respond(call, app.profile);
  const { body, outcome } = answer;
  return { body, code: outcome.ok ? undefined : outcome.error.code };
}

/** An empty body if there are no arguments. */
const bodyOf = (input: unknown) => (input === undefined ? '' : JSON.stringify(input));

/** Files too are compared as JSON. */
const JSON_ONLY = { accept: 'application/json' };

const authorization = ({ token }: WireOptions) => token !== undefined && { authorization: `Bearer ${token}` };

/** The environment of a command. Without a token, it must not find another one. */
const tokenVariables = ({ token = '' }: WireOptions) => ({ EVERYWIRE_TOKEN: token, EVERYWIRE_TOKEN_FILE: '' });

async function overHttp(
  url: string,
  options: WireOptions,
  { function: name, input }: ParityCall,
): Promise<ParityAnswer> {
  const { status, headers, text } = await post(
    `${url}/functions/${encodeURIComponent(name)}`,
    { ...JSON_ONLY, ...authorization(options) },
    bodyOf(input),
  );
  const code = headers['everywire-error-code'];
  return { body: text, code: typeof code === 'string' ? code : undefined, status };
}

/** A tools/call. Revision 2026-07-28 identifies the client in every request. */
function toolCall(id: number, revision: Revision, name: string, input: unknown): object {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = {
    name,
    ...(input !== undefined && { arguments: input }),
    ...(revision === '2026-07-28' && { _meta: envelope }),
  };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

const CLIENT = { name: 'everywire parity', version: '1' };

function toolNamed(app: App, name: string): string {
  return app.find(name)?.operationId ?? name;
}

async function overMcpHttp(
  url: string,
  revision: Revision,
  options: WireOptions,
  call: ParityCall,
): Promise<ParityAnswer> {
  const name = toolNamed(options.app, call.function);
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(revision === '2026-07-28' && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    ...authorization(options),
  };
  const message = JSON.stringify(toolCall(1, revision, name, call.input));
  const { headers: received, text } = await post(`${url}/mcp`, headers, message);
  const isStream = String(received['content-type']).startsWith('text/event-stream');
  return fromMessage(isStream ? lastEvent(text) : text);
}

/** The response is the last event of a stream. */
function lastEvent(stream: string): string {
  const line = stream.split('\n').findLast((one) => one.startsWith('data: {'));
  return line?.slice('data: '.length) ?? errorLine('a stream without a response');
}

/** The body in a tool result; for a JSON-RPC error, the body that other wires would send. */
function fromMessage(text: string): ParityAnswer {
  const { result, error } = JSON.parse(text) as { result?: ToolResult; error?: RpcError };
  if (error) return { body: JSON.stringify({ error: error.message }), code: error.data?.code ?? String(error.code) };
  const file = fromFileResult(result);
  if (file) return { body: JSON.stringify({ result: file }), code: undefined };
  const { content = [], structuredContent, isError = false, _meta } = result ?? {};
  const meta = _meta?.[ERROR_META];
  const code = isError ? String(isRecord(meta) ? meta['code'] : 'no code') : undefined;
  // If the output is content, other wires send the blocks as the result.
  const isData = isError || structuredContent !== undefined;
  return { body: isData ? (content[0]?.text ?? '') : JSON.stringify({ result: content }), code };
}

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code?: string };
}

/** `everywire mcp` in a child process, started at the first call. Calls may run concurrently. */
function openStdio(options: WireOptions, revision: Revision): ParityWire {
  const { app, command, module, flags } = options;
  const [program, ...first] = command;
  const waiting = new Map<number, (line: string) => void>();
  let last = 0;
  let child: ReturnType<typeof start> | undefined;
  let ended: string | undefined;

  function start() {
    const started = spawn(program, [...first, 'mcp', module, ...flags], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ...tokenVariables(options) },
    });
    started.stdin.on('error', () => {}); // the missing response is reported below
    started.once('exit', (code) => {
      ended = `the process ended with ${code}`;
      for (const answer of waiting.values()) answer(errorLine(ended));
      waiting.clear();
    });
    eachLine(started.stdout, (line) => {
      const { id } = JSON.parse(line) as { id?: unknown };
      if (typeof id !== 'number') return;
      waiting.get(id)?.(line);
      waiting.delete(id);
    });
    if (revision === '2025-11-25') {
      const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
      started.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params })}\n`);
      started.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    }
    return started;
  }

  return {
    name: `MCP ${revision} on stdio`,
    async call({ function: name, input }) {
      child ??= start();
      const id = ++last;
      const answer = new Promise<string>((resolve) => {
        if (ended) resolve(errorLine(ended));
        const timer = setTimeout(() => resolve(errorLine(`no response within ${TIMEOUT} ms`)), TIMEOUT);
        waiting.set(id, (line) => {
          clearTimeout(timer);
          resolve(line);
        });
      });
      child.stdin.write(`${JSON.stringify(toolCall(id, revision, toolNamed(app, name), input))}\n`);
      return fromMessage(await answer);
    },
    async close() {
      if (!child || ended) return;
      const exit = new Promise((resolve) => child!.once('exit', resolve));
      child.stdin.end();
      const timer = setTimeout(() => child!.kill('SIGKILL'), TIMEOUT);
      await exit;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds to wait for a response, or for a process to exit. */
const TIMEOUT = 10_000;

const errorLine = (message: string) => JSON.stringify({ error: { code: 0, message } });

async function asCgi(options: WireOptions, call: ParityCall): Promise<ParityAnswer> {
  const { command, module, flags, token } = options;
  const body = bodyOf(call.input);
  const { stdout } = await runOnce([...command, 'cgi', module, ...flags], body, {
    GATEWAY_INTERFACE: 'CGI/1.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    REQUEST_METHOD: 'POST',
    PATH_INFO: `/functions/${call.function}`,
    CONTENT_TYPE: 'application/json',
    HTTP_ACCEPT: JSON_ONLY.accept,
    CONTENT_LENGTH: String(Buffer.byteLength(body)),
    ...(token !== undefined && { HTTP_AUTHORIZATION: `Bearer ${token}` }),
  });
  const end = stdout.indexOf('\r\n\r\n');
  const head = stdout.slice(0, Math.max(end, 0));
  const [, status = '0'] = /^status: (\d+)/im.exec(head) ?? [];
  const [, code] = /^everywire-error-code: (\w+)/im.exec(head) ?? [];
  return { body: stdout.slice(end + 4), code, status: Number(status) };
}

async function asCommand(options: WireOptions, call: ParityCall): Promise<ParityAnswer> {
  const { command, module, flags } = options;
  const inputFlags = call.input === undefined ? [] : ['--input', '-'];
  const args = [...command, 'call', ...flags, module, call.function, ...inputFlags, '--json'];
  const { stdout, stderr, exit } = await runOnce(args, bodyOf(call.input), tokenVariables(options));
  // The error message on stderr ends with the code.
  const [, code] = (exit === 0 ? undefined : [...stderr.matchAll(/\((\w+)\)$/gm)].at(-1)) ?? [];
  return { body: stdout, code, exit };
}

function runOnce([program = '', ...args]: readonly string[], input: string, variables: Record<string, string>) {
  return new Promise<{ stdout: string; stderr: string; exit: number }>((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...variables } });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => {}); // a command that fails early closes its stdin
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout, stderr, exit: code ?? -1 }));
  });
}
