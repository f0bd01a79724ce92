import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modules, type AppName, type Wire } from '../every-wire.ts';
import { asJson } from '../kit/as-json.ts';
import { proves } from '../promises.ts';
import { runBehaviours } from '../run-behaviours.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { size } from '../kit/sizes.ts';
import { builtApp } from '../kit/built.ts';
import { sendTo } from '../wires/http.ts';
import { startWebServer, webServers, whyNoServers, type RunningServer, type WebServer } from '../wires/web-server.ts';

// Real web servers with the configuration of docs/deploy-cgi.md, and the apps as CGI scripts.

/** World-writable, since scripts run as www-data. */
const mounted = temporaryFolder('mounted');
chmodSync(mounted, 0o777);

const running = new Map<WebServer, Promise<RunningServer>>();

function started(server: WebServer): Promise<RunningServer> {
  let found = running.get(server);
  if (!found) running.set(server, (found = start(server)));
  return found;
}

async function start(server: WebServer): Promise<RunningServer> {
  const names = Object.keys(modules) as AppName[];
  const scripts = await Promise.all(names.map(async (name) => [`${name}.mjs`, await builtApp(name)] as const));
  const options = join(mounted, 'options.sh');
  writeFileSync(
    options,
    `#!/bin/sh\nexec ${process.execPath} "$(dirname "$0")/calculator.mjs" cgi --env DEBUG=true --mount ${mounted}:/\n`,
  );
  return startWebServer(server, { ...Object.fromEntries(scripts), 'options.sh': options, 'notes.txt': options });
}

function wireOf(server: WebServer): Wire {
  return {
    name: server,
    async call(name, fn, send, profile) {
      return sendTo(`${(await started(server)).url}/${name}.mjs`, fn, send, profile);
    },
    close: async () => (await running.get(server))?.stop(),
  };
}

const why = whyNoServers();

describe('behind real web servers', () => {
  beforeEach(({ skip }) => skip(why !== undefined && process.env['CI'] !== 'true', why));

  // Not within the time limit of the first test: on a busy machine, fifteen builds take longer.
  beforeAll(async () => {
    if (why === undefined) for (const name of Object.keys(modules) as AppName[]) await builtApp(name);
  }, 300_000);

  // Each behaviour behind one of them; at full size behind all. What a script prints is the same, and tested without a server.
  for (const [turn, server] of webServers.entries()) {
    const everyNth = size(webServers.length, 1);
    runBehaviours(
      wireOf(server),
      () => undefined,
      (index) => (index + turn) % everyNth === 0,
    );
  }

  describe.each(webServers)('%s', (server) => {
    const at = async (path: string, init?: RequestInit) =>
      fetch(`${(await started(server)).url}/calculator.mjs${path}`, init);
    const sum = asJson({ x: 1, y: 2 });

    it.each([
      ['/Add', sum, 200, '{"result":3}'],
      ['/Add?profile=status', sum, 200, '{"status":"SUCCESS","data":3}'],
      ['/openapi.json', { method: 'HEAD' }, 200, ''],
      ['/openapi.json', {}, 200, expect.stringContaining('"servers":[{"url":"/cgi-bin/calculator.mjs"}]')],
      ['/Add', { method: 'OPTIONS' }, 204, ''],
    ])(proves('cgi.path', 'answers %s %j'), async (path, init, status, body) => {
      const response = await at(path, init);
      expect([response.status, await response.text()]).toEqual([status, body]);
      if (status === 204) expect(response.headers.get('allow')).toBe('POST, OPTIONS');
      else expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    });

    it(proves('http.path', 'serves the paths of functions, queries, forms and ETags'), async () => {
      const { url } = await started(server);
      const ask = (path: string, init?: RequestInit) => fetch(`${url}/queries.mjs${path}`, init);
      const user = await ask('/users/7?fields=a%26b&fields=c+d');
      expect(await user.text()).toBe('{"result":{"id":7,"fields":["a&b","c d"]}}');
      const headers = { 'if-none-match': user.headers.get('etag') ?? '' };
      expect((await ask('/users/7?fields=a%26b&fields=c+d', { headers })).status).toBe(304);
      const post = await ask('/users/1/posts/B%C3%B6%20%3F%2B');
      expect(await post.text()).toBe('{"result":{"user":1,"slug":"Bö ?+"}}');
      const renamed = await ask('/users/7', { method: 'POST', body: new URLSearchParams({ name: 'Bö' }) });
      expect(await renamed.text()).toBe('{"result":{"id":7,"name":"Bö"}}');
      expect(await (await ask('/Add?x=1&y=2')).text()).toBe('{"result":3}');
      expect((await ask('/users/7', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    });

    it(proves('cgi.body', 'accepts a chunked body, and refuses one that is too large'), async () => {
      const { url } = await started(server);
      const sent = request(`${url}/calculator.mjs/Add`, { method: 'POST', headers: sum.headers });
      sent.write('{"x":1,');
      sent.end('"y":5}');
      const [chunked] = (await once(sent, 'response')) as [IncomingMessage];
      expect(await text(chunked)).toBe('{"result":6}');
      const large = await at('/Add', { ...sum, body: ' '.repeat(1_500_000) });
      expect([large.status, await large.text()]).toEqual([413, '{"error":"The body is larger than 1048576 bytes"}']);
    });

    it(proves('cgi.deployed', 'runs a script with options, and never serves its source'), async () => {
      const { url } = await started(server);
      const log = join(mounted, 'debug.log');
      rmSync(log, { force: true });
      const response = await fetch(`${url}/options.sh/Add`, sum);
      expect(await response.text()).toBe('{"result":3}');
      expect(readFileSync(log, 'utf8')).toBe('Adding 1 + 2\n');
      expect(await (await fetch(`${url}/notes.txt`)).text()).not.toContain('DEBUG');
    });

    it(proves('cgi.query-words', 'takes no arguments from the query'), async () => {
      const commands = ['serve', '--help', 'cgi+--mount+/:/', 'cgi+--mount+/:/%00', 'serve+--port+9%00', 'add+--x+1'];
      const words = [...commands, `--help${'+'.repeat(2500)}`, '%2d%2dversion', '-V+%5c%27%22%0a', 'x%ff+%zz'];
      const answers: Record<number, string> = {
        200: '{"status":"ok"}',
        400: '{"error":"A query without = is not accepted here"}',
      };
      for (const query of words) {
        const response = await at(`/healthz?${query}`);
        const body = await response.text();
        // The web server itself may refuse an invalid query, or one with control characters.
        if (/%zz|%0a|%00/.test(query) && response.status === 400 && body.includes('<')) continue;
        expect([query, body]).toEqual([query, answers[response.status]]);
      }
    });

    it(proves('cgi.mcp', 'responds to MCP, one request at a time'), async () => {
      const params = { name: 'functions.Add', arguments: { x: 1, y: 2 } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const response = await at('/mcp', asJson(message, { accept: 'application/json, text/event-stream' }));
      expect(await response.text()).toContain('{\\"result\\":3}');
    });

    it(proves('cgi.quiet', 'logs no errors'), async () => {
      const { errorLog } = await started(server);
      const isBad = (line: string) =>
        /error|warn|malformed|premature/i.test(line) && !/notice|"level"|FastCGI sent in stderr/.test(line);
      const bad = errorLog().split('\n').filter(isBad);
      expect(bad).toEqual([]);
    });
  });

  afterAll(() => Promise.all([...running.values()].map(async (server) => (await server).stop())));
});
