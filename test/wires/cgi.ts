import { spawn } from 'node:child_process';
import { acceptOf, bodyOf, modules, type AppName, type Wire } from '../every-wire.ts';
import { cgi, type Ran } from '../kit/command.ts';
import { builtApp } from '../kit/built.ts';
import { size } from '../kit/sizes.ts';

/** An app that answers in this process. */
export const cgiWire = cgiWireOf('cgi', (name, variables, body) => cgi(modules[name], variables, body));

/** An app that is run for each request, as a web server does. A build takes seconds, so `npm test` has one built app. */
export const cgiProcessWire = cgiWireOf('cgi-process', async (name, variables, body) => {
  const isBuilt = name === 'calculator' || size(0, 1) === 1;
  return runCgi(isBuilt ? [await builtApp(name), 'cgi'] : fromSource(name), variables, body);
});

function cgiWireOf(
  wire: Wire['name'],
  respond: (name: AppName, variables: Readonly<Record<string, string>>, body: Uint8Array) => Promise<Ran>,
): Wire {
  return {
    name: wire,
    async call(name, fn, send, profile) {
      const body = bodyOf(send);
      const { accept } = acceptOf(profile);
      const variables = {
        REQUEST_METHOD: 'POST',
        PATH_INFO: `/functions/${fn}`,
        CONTENT_TYPE: 'application/json',
        CONTENT_LENGTH: String(body.length),
        ...(accept && { HTTP_ACCEPT: accept }),
      };
      const { status, headers, body: answer } = parseCgi((await respond(name, variables, body)).stdout);
      const code = headers['everywire-error-code'];
      return { body: answer, status, ...(code && { code }) };
    },
  };
}

/** Runs Node with these arguments and only these variables. Its output goes to pipes, as with web servers. */
export function runCgi(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  body: Uint8Array = new Uint8Array(),
  /** Kills the process and its children. */
  signal?: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // Through `sh` and `cat`: Node gives its children sockets, not pipes. The exit code comes last on stderr.
    const child = spawn(
      'sh',
      ['-c', '{ { "$@"; echo "exit=$?" >&2; } 2>&1 1>&3 | cat >&2; } 3>&1 | cat', 'sh', process.execPath, ...args],
      {
        detached: signal !== undefined,
        env: { PATH: process.env['PATH'], GATEWAY_INTERFACE: 'CGI/1.1', SERVER_PROTOCOL: 'HTTP/1.1', ...variables },
      },
    );
    const out: Buffer[] = [];
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => {}); // the body is not always read
    child.stdin.end(body);
    signal?.addEventListener('abort', () => child.exitCode === null && process.kill(-child.pid!, 'SIGKILL'));
    child.once('error', reject);
    child.once('close', () => {
      const [, stderr = '', code = '-1'] = /^([^]*)exit=(\d+)\n$/.exec(err) ?? [];
      resolve({ stdout: Buffer.concat(out).toString(), stderr, code: Number(code) });
    });
  });
}

export interface CgiResponse {
  readonly status: number;
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Strict: every line of the head ends in CRLF, and nothing comes before it. */
export function parseCgi(output: string): CgiResponse {
  const end = output.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`no head: ${JSON.stringify(output.slice(0, 500))}`);
  const lines = output.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`no header: ${JSON.stringify(line)}`);
    headers[name.toLowerCase()] = value;
  }
  const statusLine = headers['status'] ?? '';
  return { status: Number.parseInt(statusLine, 10), statusLine, headers, body: output.slice(end + 4) };
}

/** The arguments that run an app from source. */
export const fromSource = (module: keyof typeof modules) => ['dist/bin/everywire.js', 'cgi', modules[module]];
