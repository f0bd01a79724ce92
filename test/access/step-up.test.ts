import type { RequestListener } from 'node:http';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApp } from 'everywire';
import { jwt } from 'everywire/access';
import { toNodeHandler } from 'everywire/node';
import { expect, it } from 'vitest';
import { fn } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { CLIENT, startAuthorizationServer } from './authorization-server.ts';
import { startServer } from './issuer.ts';

/** An app that is served at an address, which it needs to know. */
async function serveAt(issuer: string) {
  const seen: string[] = [];
  let handle: RequestListener | undefined;
  const server = await startServer((request, response) => {
    // The older revision also asks for a stream with GET, at any time.
    const isStream = request.method === 'GET' && request.url === '/mcp';
    response.once('finish', () => isStream || seen.push(`${request.method} ${request.url} ${response.statusCode}`));
    handle?.(request, response);
  });
  const audience = [server.url, `${server.url}/mcp`];
  const output = { type: 'array', description: 'What the caller may do' } as const;
  const say = (name: string, scope: string) =>
    fn(name, { scopes: [scope], output }, (_, { principal }) => [...principal.scopes]);
  const app = createApp({
    name: 'Notes',
    version: '1.0.0',
    functions: [say('Read', 'read'), say('Write', 'write')],
    access: { url: server.url, servers: [issuer], authenticators: [jwt({ issuer, audience })] },
  });
  handle = toNodeHandler(app);
  return { ...server, seen };
}

it.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)(
  proves('access.step-up', 'the client of the SDK gets a token, and a better one: %s %s'),
  async (mode, revision) => {
    await using issuer = await startAuthorizationServer();
    await using server = await serveAt(issuer.url);
    const { id: clientId, secret: clientSecret } = CLIENT;
    const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: issuer.url });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(authProvider.tokens()).toBeUndefined();

    // Refused, told where tokens come from, and admitted with one.
    const steps = (status: number) => [
      `POST /mcp ${status}`,
      'GET /.well-known/oauth-protected-resource/mcp 200',
      'POST /mcp 200',
    ];
    for (const [name, status, scopes] of [
      ['functions.Read', 401, ['read']],
      ['functions.Write', 403, ['read', 'write']],
    ] as const) {
      server.seen.length = issuer.requests.length = 0;
      const { structuredContent } = await client.callTool({ name });
      expect(structuredContent).toEqual({ result: scopes });
      expect(server.seen).toEqual(steps(status));
      expect(issuer.requests.filter((path) => path === '/token')).toHaveLength(1);
      expect(authProvider.tokens()?.scope).toBe(scopes.join(' '));
    }
    // What it has now is enough for both.
    server.seen.length = 0;
    await client.callTool({ name: 'functions.Read' });
    expect(server.seen).toEqual(['POST /mcp 200']);
    await client.close();
  },
);
