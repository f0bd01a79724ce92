import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Run } from './run-bounded.ts';
import { writeJson } from '../schema/write-json.ts';

interface Problem {
  readonly problem: string;
}

export type SpawnedWire =
  | ({ readonly name: string } & Problem)
  | {
      readonly name: string;
      readonly run: Run;
      /** The body in what the process wrote, or why it is not compared. */
      readonly read: (stdout: string) => string | Problem;
    };

interface Program {
  readonly command: readonly [string, ...string[]];
  readonly module: string;
  readonly flags: readonly string[];
}

/** Who calls. `anybody`: the app asks nobody who they are. `unknown`: it asks, and the sender has no token to pass on. */
export type Sender = { readonly kind: 'anybody' | 'unknown' } | { readonly kind: 'known'; readonly token: string };

/** One call on every wire that is a process of its own. */
export function spawnedWires(
  { command, module, flags }: Program,
  fn: RegisteredFunction,
  input: unknown,
  sender: Sender,
): readonly SpawnedWire[] {
  const body = input === undefined ? '' : writeJson(input);
  const needsToken = { problem: 'needs a token: without one, it would be a call of the user of this machine' };
  const token = sender.kind === 'known' ? sender.token : undefined;
  const variables: Record<string, string> = token === undefined ? {} : { EVERYWIRE_TOKEN: token };
  const local = (
    name: string,
    args: readonly string[],
    rest: Omit<Run, 'command' | 'variables'>,
    read: (stdout: string) => string | Problem = (stdout) => stdout,
  ) =>
    sender.kind === 'unknown'
      ? { name, ...needsToken }
      : { name, run: { command: [...command, ...args] as const, variables, ...rest }, read };
  return [
    {
      name: 'CGI',
      run: {
        command: [...command, 'cgi', module, ...flags],
        variables: {
          GATEWAY_INTERFACE: 'CGI/1.1',
          SERVER_PROTOCOL: 'HTTP/1.1',
          REQUEST_METHOD: 'POST',
          PATH_INFO: `/functions/${fn.name}`,
          CONTENT_TYPE: 'application/json',
          CONTENT_LENGTH: String(Buffer.byteLength(body)),
          HTTP_ACCEPT: 'application/json',
          ...(token !== undefined && { HTTP_AUTHORIZATION: `Bearer ${token}` }),
        },
        stdin: body,
      },
      read: (stdout) => stdout.slice(stdout.indexOf('\r\n\r\n') + 4),
    },
    local('Command line', ['call', ...flags, module, fn.name, ...(body === '' ? [] : ['--input', '-']), '--json'], {
      stdin: body,
    }),
    ...REVISIONS.map((revision) =>
      local(
        `MCP ${revision} on stdio`,
        ['mcp', module, ...flags],
        { stdin: toolCall(revision, fn.operationId, input), isLast: isAnswer },
        (stdout) => bodyOf(answerIn(stdout) ?? '{}', fn),
      ),
    ),
  ];
}

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const CLIENT = { name: 'everywire console', version: '1' };

/** Revision 2026-07-28 identifies the client in every request; before, there is a handshake. */
function toolCall(revision: (typeof REVISIONS)[number], name: string, input: unknown): string {
  const isModern = revision === '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, ...(input !== undefined && { arguments: input }), ...(isModern && { _meta }) };
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
  const messages = [
    ...(isModern ? [] : [{ id: 0, method: 'initialize', params: hello }, { method: 'notifications/initialized' }]),
    { id: CALL, method: 'tools/call', params },
  ];
  return messages.map((message) => `${writeJson({ jsonrpc: '2.0', ...message })}\n`).join('');
}

const CALL = 1;

/** The line that answers the call. */
function answerIn(stdout: string): string | undefined {
  return stdout
    .split('\n')
    .slice(0, -1)
    .find((line) => isAnswer(line));
}

function isAnswer(line: string): boolean {
  try {
    return (JSON.parse(line) as { id?: unknown }).id === CALL;
  } catch {
    return false; // what a function printed
  }
}

/** JSON-RPC: this client has not declared that it can do what the function needs, which is to ask. */
const MISSING_CAPABILITY = -32021;

/** The body in a tool result; for a JSON-RPC error, the body that other wires would send. */
function bodyOf(answer: string, { returnsFile }: RegisteredFunction): string | Problem {
  const { result, error } = JSON.parse(answer) as {
    result?: { content?: { text?: string }[]; structuredContent?: unknown; isError?: boolean };
    error?: { code: number; message: string };
  };
  if (error?.code === MISSING_CAPABILITY)
    return { problem: 'left out: the function asks, and here only clients that can answer' };
  if (error) return JSON.stringify({ error: error.message });
  const { content = [], structuredContent, isError } = result ?? {};
  if (isError || structuredContent !== undefined) return content[0]?.text ?? '';
  if (returnsFile) return { problem: 'left out: MCP sends a file as content' };
  // If the output is content, other wires send the blocks as the result.
  return JSON.stringify({ result: content });
}
