import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtModule } from '../kit/built.ts';
import { modules } from '../every-wire.ts';
import { CGI, appCommand, cgi, command } from '../kit/command.ts';
import { parseCgi, runCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';

// RFC 3875, request by request.

const { calculator } = modules;
const sum = '{"x":1,"y":2}';
const post = { REQUEST_METHOD: 'POST', CONTENT_TYPE: 'application/json' };

describe.concurrent('a request', () => {
  it(proves('cgi.output', 'gets a status, headers, an empty line and the body'), async () => {
    const { stdout, stderr, code } = await cgi(calculator, { ...post, PATH_INFO: '/Add', CONTENT_LENGTH: '13' }, sum);
    expect(stdout).toBe(
      'Status: 200 OK\r\nContent-Type: application/json\r\nVary: Accept\r\nContent-Length: 12\r\n\r\n{"result":3}',
    );
    expect([stderr, code]).toEqual(['', 0]);
  });

  it.each([
    ['no length, as for chunked requests', undefined, '{"x":1,"y":2}', 200, '{"result":3}'],
    ['an empty length', '', '', 400, '/x: required'],
    ['a body longer than its length', '13', '{"x":1,"y":2}{"x":9}', 200, '{"result":3}'],
    ['a body shorter than its length', '99', '{"x":1,"y":2}', 400, 'The body ends after 13 of 99 bytes'],
    ['an invalid length', '1e3', '{}', 400, 'Invalid CONTENT_LENGTH: \\"1e3\\"'],
    ['a negative length', '-1', '{}', 400, 'Invalid CONTENT_LENGTH'],
    ['a length over the limit', '1048577', ' '.repeat(1_048_577), 413, 'The body is larger than 1048576 bytes'],
    ['no length and too much', undefined, ' '.repeat(1_100_000), 413, 'The body is larger than 1048576 bytes'],
  ])(proves('cgi.body', '%s'), async (_title, length, body, status, expected) => {
    const { stdout, code } = await cgi(calculator, { ...post, PATH_INFO: '/Add', CONTENT_LENGTH: length }, body);
    const answer = parseCgi(stdout);
    expect(answer.body).toContain(expected);
    expect([answer.status, code]).toEqual([status, 0]);
  });

  it(proves('cgi.body', 'without a length and with DELETE does not wait for stdin, which may stay open'), async () => {
    const { stdout } = await cgi('test/apps/rest.ts', { REQUEST_METHOD: 'DELETE', PATH_INFO: '/items/1' }, 'unread');
    expect(parseCgi(stdout).status).toBe(204);
  });

  it.each([
    ['/Add', 200, '{"result":3}'],
    ['/functions/Add', 200, '{"result":3}'],
    ['/functions.Add', 200, '{"result":3}'],
    ['/NonExistent', 404, '{"error":"Function not found: NonExistent"}'],
    ['/Grüße?#', 404, '{"error":"Function not found: Grüße?#"}'],
    ['/', 404, '{"error":"No such path: /"}'],
    ['/healthz/x', 404, '{"error":"No such path: /healthz/x"}'],
    ['/healthz', 405, '{"error":"POST is not allowed here, only GET, HEAD, OPTIONS"}'],
  ])(proves('cgi.path', 'to %s'), async (path, status, body) => {
    const { stdout } = await cgi(calculator, { ...post, PATH_INFO: path, CONTENT_LENGTH: '13' }, sum);
    expect(parseCgi(stdout)).toMatchObject({ status, body });
  });

  it.each([
    [{ QUERY_STRING: 'profile=status' }, '{"status":"SUCCESS","data":3}'],
    [{ QUERY_STRING: 'profile=nonsense' }, /^\{"error":"Not acceptable/],
    [{ HTTP_ACCEPT: 'application/json;profile=status' }, '{"status":"SUCCESS","data":3}'],
    [{ QUERY_STRING: 'profile=plain', HTTP_ACCEPT: 'application/json;profile=status' }, '{"result":3}'],
    [{ CONTENT_TYPE: 'text/plain' }, /^\{"error":"Unsupported media type: text\/plain/],
    [{ HTTP_ORIGIN: 'https://elsewhere.example' }, /^\{"error":"Origin/],
  ])(proves('cgi.query', 'with %o'), async (variables: Record<string, string>, body) => {
    const given = { ...post, PATH_INFO: '/Add', CONTENT_LENGTH: '13', ...variables };
    const answer = parseCgi((await cgi(calculator, given, sum)).stdout);
    if (typeof body === 'string') expect(answer.body).toBe(body);
    else expect(answer.body).toMatch(body);
  });

  it(proves('cgi.document', 'for the OpenAPI document, in both versions'), async () => {
    const ask = async (variables: Record<string, string>) => {
      const given = { REQUEST_METHOD: 'GET', PATH_INFO: '/openapi.json', ...variables };
      return parseCgi((await cgi(calculator, given)).stdout);
    };
    const document = await ask({ SCRIPT_NAME: '/cgi bin/calc' });
    expect(JSON.parse(document.body)).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/cgi%20bin/calc' }] });
    expect(JSON.parse((await ask({ QUERY_STRING: 'version=3.0' })).body)).toMatchObject({ openapi: '3.0.3' });
    const known = await ask({ SCRIPT_NAME: '/cgi bin/calc', HTTP_IF_NONE_MATCH: document.headers['etag'] ?? '' });
    expect([known.statusLine, known.body]).toEqual(['304 Not Modified', '']);
  });

  it(proves('cgi.method', 'with HEAD and OPTIONS'), async () => {
    const head = parseCgi((await cgi(calculator, { REQUEST_METHOD: 'HEAD', PATH_INFO: '/healthz' })).stdout);
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '15', '']);
    const options = parseCgi((await cgi(calculator, { REQUEST_METHOD: 'OPTIONS', PATH_INFO: '/Add' })).stdout);
    expect(options).toMatchObject({ statusLine: '204 No Content', headers: { allow: 'POST, OPTIONS' }, body: '' });
  });
});

describe.concurrent.each([
  ['from source', async () => ['dist/bin/everywire.js', 'cgi', 'test/apps/noisy.ts']],
  ['as a command', async () => ['test/apps/noisy-command.mjs', 'cgi']],
  ['built', async () => [await builtModule('test/apps/noisy.ts'), 'cgi']],
])('a noisy or broken app, %s', (_title, argumentsOf) => {
  const ask = async (fn: string, variables = {}) =>
    runCgi(await argumentsOf(), { ...post, PATH_INFO: `/${fn}`, ...variables });
  const PRINTED = ['while loading', 'by console.log', 'by process.stdout', 'by the descriptor', 'by a child'];

  it.each([
    ['a pipe', ask],
    [
      'a socket, as for children of Node',
      async (fn: string) => run(await argumentsOf(), undefined, { ...post, PATH_INFO: `/${fn}`, CONTENT_LENGTH: '0' }),
    ],
  ])(proves('cgi.stdout', 'prints to stderr only, if stdout is %s'), async (_stdout, send) => {
    const { stdout, stderr, code } = await send('Print');
    expect(parseCgi(stdout)).toMatchObject({ status: 200, body: '{"result":"done"}' });
    for (const words of PRINTED) expect(stderr).toContain(`printed ${words}`);
    expect(code).toBe(0);
  });

  it(proves('cgi.stdout', 'prints to stderr only, if stdin and stdout are one socket, as with mod_cgid'), async () => {
    const folder = temporaryFolder('socket', { log: '' });
    // Python has socketpair, Node does not. The log is opened for appending, as Apache does.
    const script = `
import socket, subprocess, sys
ours, theirs = socket.socketpair()
log = open(sys.argv[1], 'a')
child = subprocess.Popen(sys.argv[2:], stdin=theirs, stdout=theirs, stderr=log)
theirs.close()
answer = b''
while True:
    part = ours.recv(65536)
    if not part: break
    answer += part
sys.stdout.buffer.write(answer)
sys.exit(child.wait())`;
    const args = [join(folder, 'log'), process.execPath, ...(await argumentsOf())];
    const { stdout, status } = spawnSync('python3', ['-c', script, ...args], {
      env: { ...process.env, ...post, PATH_INFO: '/Print', CONTENT_LENGTH: '0' },
    });
    expect(parseCgi(stdout.toString())).toMatchObject({ status: 200, body: '{"result":"done"}' });
    expect(status).toBe(0);
    const log = readFileSync(join(folder, 'log'), 'utf8');
    for (const words of PRINTED) expect(log).toContain(`printed ${words}`);
  });

  it.each([
    ['Exit', {}, 'error: the app ended the process before it responded'],
    ['Hang', {}, 'error: the app ended the process before it responded'],
    ['Stray', {}, 'error: uncaught: thrown by a timer'],
    ['Print', { BROKEN: 'secret reason' }, 'secret reason'],
  ])(proves('cgi.always', 'always sends a response: %s %j'), async (fn, variables, reason) => {
    const { stdout, stderr, code } = await ask(fn, variables);
    expect(parseCgi(stdout)).toMatchObject({
      statusLine: '500 Internal Server Error',
      body: '{"error":"The server could not answer"}',
    });
    expect([stderr, code]).toEqual([expect.stringContaining(reason), 0]);
  });

  it(proves('cgi.proxy', 'never sees a Proxy header as HTTP_PROXY'), async () => {
    const { stdout } = await ask('Proxy', { HTTP_PROXY: 'http://evil.example' });
    expect(parseCgi(stdout).body).toBe('{"result":"none, at first none, over cgi"}');
    const refused = await ask('Proxy', { HTTP_PROXY: 'http://evil.example', NODE_USE_ENV_PROXY: '1' });
    expect(parseCgi(refused.stdout)).toMatchObject({ status: 400, body: '{"error":"A Proxy header is not accepted"}' });
  });
});

describe.concurrent('the words of a query', () => {
  const gateway = { REQUEST_METHOD: 'GET', PATH_INFO: '/healthz' };
  const REFUSED = '{"error":"A query without = is not accepted here"}';
  const OK = '{"status":"ok"}';

  it.each([
    // query, the arguments that the web server makes of it, the operator's arguments before them
    ['serve', ['serve'], [], OK],
    ['%2d%2dhelp+%5c', ['--help', '\\\\'], [], OK],
    ['', [], ['cgi', '--env', 'A=b'], OK],
    ['profile=x', [], ['cgi', '--env', 'A=b'], OK],
    ['cgi', ['cgi'], [], REFUSED],
    ['cgi+--mount+/etc:/', ['cgi', '--mount', '/etc:/'], [], REFUSED],
    ['cgi+--mount+/etc:/%00', ['cgi', '--mount', '/etc:/'], [], REFUSED],
    ['--help+++++', ['--help'], [], REFUSED],
    ['--mount+/etc:/', ['--mount', '/etc:/'], ['cgi'], REFUSED],
    ['--allow-host+good.example', [], ['cgi', '--allow-host', 'good.example'], REFUSED],
  ])(proves('cgi.query-words', '%s is not an argument'), async (query, words, own, body) => {
    const variables = { ...CGI, ...gateway, QUERY_STRING: query };
    const { stdout, code } = await appCommand(calculator, [...own, ...words], { variables });
    expect(parseCgi(stdout).body).toBe(body);
    expect(code).toBe(0);
  });

  it(proves('cgi.query-words', 'a whole command line for everywire is not one either'), async () => {
    const words = ['call', 'examples/calculator/app.ts', 'Add', '--x', '1', '--y', '2'];
    const variables = { ...CGI, ...gateway, QUERY_STRING: words.join('+') };
    const { stdout, code } = await command(words, { variables });
    expect(parseCgi(stdout)).toMatchObject({ status: 500, body: '{"error":"The server could not answer"}' });
    expect(code).toBe(0);
  });

  it(proves('cgi.query-words', 'an option for everywire cgi is not one either'), async () => {
    const { stdout } = await cgi(calculator, { ...gateway, QUERY_STRING: '--help' }, '', '--help');
    expect(parseCgi(stdout).body).toBe(REFUSED);
  });
});

describe('as a command', () => {
  it(proves('cgi.help', 'explains itself when no web server runs it'), async () => {
    const { stdout, stderr, code } = await command(['cgi', calculator]);
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toContain('REQUEST_METHOD is not set');
  });

  it(proves('cgi.always', 'responds even if its options are wrong'), async () => {
    const given = { ...post, PATH_INFO: '/Add' };
    for (const { stdout, stderr, code } of [
      await cgi(calculator, given, '', '--mount', '/no/such:/'),
      await appCommand(calculator, ['cgi', '--mount', '/no/such:/'], { variables: { ...CGI, ...given } }),
    ]) {
      expect(parseCgi(stdout)).toMatchObject({ status: 500, body: '{"error":"The server could not answer"}' });
      expect(stderr).toContain('no such folder: /no/such');
      expect(code).toBe(0);
    }
  });
});

describe.concurrent('MCP', () => {
  const send = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const variables = { ...post, PATH_INFO: '/mcp', HTTP_ACCEPT: 'application/json, text/event-stream' };
    return parseCgi((await cgi(calculator, { ...variables, CONTENT_LENGTH: `${body.length}` }, body)).stdout);
  };

  it(proves('cgi.mcp', 'answers one request at a time, without a session'), async () => {
    const clientInfo = { name: 'test', version: '1' };
    const begun = await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    expect(begun).toMatchObject({ status: 200, body: expect.stringContaining('"serverInfo":{"name":"Calculator"') });
    expect(begun.headers).not.toHaveProperty('mcp-session-id');
    const called = await send('tools/call', { name: 'functions.Add', arguments: { x: 1, y: 2 } });
    expect(called).toMatchObject({ status: 200, body: expect.stringContaining('"structuredContent":{"result":3}') });
    const listen = { REQUEST_METHOD: 'GET', PATH_INFO: '/mcp', HTTP_ACCEPT: 'text/event-stream' };
    const listening = await cgi(calculator, listen);
    expect(parseCgi(listening.stdout).status).toBe(405);
  });
});

describe.concurrent('the error log', () => {
  it.each([
    ['/Add', sum, 200],
    ['/Add', '{"x":"one"}', 400],
    ['/Add', '{broken', 400],
    ['/NonExistent', '{}', 404],
    ['/Divide', '{"dividend":1,"divisor":0}', 422],
  ])(proves('cgi.quiet', 'stays empty: %s %s'), async (path, body, status) => {
    const variables = { ...post, PATH_INFO: path, CONTENT_LENGTH: `${body.length}`, NODE_ENV: 'production' };
    const { stdout, stderr } = await cgi(calculator, variables, body);
    expect([parseCgi(stdout).status, stderr]).toEqual([status, '']);
  });

  it(proves('cgi.quiet', 'gets what a function throws, on one line'), async () => {
    const app = `import { createApp, defineFunction } from '${process.cwd()}/dist/index.js';
      const run = () => { throw new Error('the disk is full'); };
      export default createApp({ name: 'Throws', version: '1', functions: [defineFunction({ name: 'F', description: 'd', run })] });`;
    const module = join(temporaryFolder('throws', { 'app.mjs': app }), 'app.mjs');
    const { stdout, stderr } = await runCgi(['dist/bin/everywire.js', 'cgi', module], { ...post, PATH_INFO: '/F' });
    expect(parseCgi(stdout).status).toBe(500);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('the disk is full')]);
  });
});
