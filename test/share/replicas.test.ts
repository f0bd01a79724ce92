import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begin, legacy, messagesIn } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { hasRedis, startRedis } from '../rate/redis-server.ts';
import type { RedisServer } from '../rate/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startServing } from '../wires/served.ts';
import type { Served } from '../wires/served.ts';
import { hasNginx, startNginx } from './nginx.ts';
import type { Proxy } from './nginx.ts';

const ledger = join(temporaryFolder('ledger'), 'ledger');
let redis: RedisServer;
let served: Served[] = [];
let proxy: Proxy;

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 500) throw new Error('it did not happen');
    await sleep(20);
  }
}

const textOf = (result: unknown) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]!.text).result as string | number;

interface Subject {
  call(name: string, given?: object, signal?: AbortSignal): Promise<string | number>;
  list(): Promise<number>;
  subscribe(uri: string): Promise<unknown>;
  /** What the client was notified of. */
  readonly notified: string[];
  close(): Promise<unknown>;
}

/** The official clients: 2.x in both revisions, and 1.x. */
const CLIENTS: Record<string, () => Promise<Subject>> = {
  '2.x, 2026-07-28': async () => connect('auto'),
  '2.x, 2025-11-25': async () => connect('legacy'),
  '1.x': connectV1,
};

async function connect(mode: 'auto' | 'legacy'): Promise<Subject> {
  const notified: string[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { yes: true } }));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notified.push(params.uri));
  client.setNotificationHandler('notifications/tools/list_changed', () => void notified.push('tools'));
  const transport = new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp`));
  await client.connect(transport);
  const uris: string[] = [];
  const listen = async () => client.listen({ toolsListChanged: true, resourceSubscriptions: uris });
  const listening = mode === 'auto' ? await listen() : undefined;
  return {
    notified,
    call: async (name, given = {}, signal) =>
      textOf(await client.callTool({ name: `functions.${name}`, arguments: { ...given } }, signal && { signal })),
    list: async () => (await client.listTools()).tools.length,
    subscribe: async (uri) => {
      if (mode === 'legacy') return client.subscribeResource({ uri });
      uris.push(uri);
      await listening?.close();
      return listen();
    },
    close: async () => {
      if (mode === 'legacy') await transport.terminateSession();
      await client.close();
    },
  };
}

async function connectV1(): Promise<Subject> {
  const notified: string[] = [];
  const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { yes: true } }));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void notified.push(params.uri));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void notified.push('tools'));
  const transport = new TransportV1(new URL(`${proxy.url}/mcp`));
  await client.connect(transport as never);
  return {
    notified,
    call: async (name, given = {}, signal) =>
      textOf(
        await client.callTool({ name: `functions.${name}`, arguments: { ...given } }, undefined, signal && { signal }),
      ),
    list: async () => (await client.listTools()).tools.length,
    subscribe: (uri) => client.subscribeResource({ uri }),
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

const change = async (given: object) =>
  messagesIn(await legacy(proxy.url, { method: 'tools/call', params: { name: 'functions.Change', arguments: given } }));

describe.runIf(hasRedis && hasNginx)('three processes behind nginx in round robin', () => {
  beforeAll(async () => {
    writeFileSync(ledger, '');
    redis = await startRedis();
    Object.assign(process.env, { EVERYWIRE_STORE: redis.url, LEDGER: ledger });
    served = await Promise.all([1, 2, 3].map(() => startServing('test/share/app.ts')));
    proxy = await startNginx(served.map(({ url }) => url));
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(served.map((one) => one.stop()));
    await redis?.stop();
  });

  it.each(Object.keys(CLIENTS))(
    proves('share.sessions', 'client %s: lists, calls, elicits, cancels, and is notified once'),
    async (name) => {
      const client = await CLIENTS[name]!();
      const pids = new Set<unknown>();
      for (let i = 0; i < 9; i++) pids.add(await client.call('Where'));
      expect(pids).toEqual(new Set(served.map(({ child }) => child.pid)));
      for (let i = 0; i < 4; i++) expect(await client.list()).toBe(5);
      for (let i = 0; i < 6; i++) expect(await client.call('Confirm', { what: `w${i}` })).toMatch(`w${i} true `);

      await client.subscribe(`note://${name}`);
      for (let i = 0; i < 3; i++) await change({ uri: `note://${name}` });
      for (let i = 0; i < 3; i++) await change({ kind: 'tools' });
      await until(
        () => client.notified.filter((one) => one !== 'tools').length >= 3 && client.notified.includes('tools'),
      );
      await client.call('Where');
      expect(client.notified.filter((one) => one !== 'tools')).toEqual(
        Array.from({ length: 3 }, () => `note://${name}`),
      );

      const leaving = new AbortController();
      const slow = client.call('Slow', { label: name }, leaving.signal);
      await until(() => readFileSync(ledger, 'utf8').includes(`began ${name}\n`));
      leaving.abort();
      await expect(slow).rejects.toThrow();
      await until(() => readFileSync(ledger, 'utf8').includes(`cancelled ${name}\n`));
      await client.close();
    },
  );

  it(proves('share.sessions', 'two hundred sessions in random order, without an error'), async () => {
    const sessions = await Promise.all(Array.from({ length: 200 }, () => begin(proxy.url)));
    const uses = sessions.flatMap((session) => Array.from({ length: 3 }, () => session));
    uses.sort(() => Math.random() - 0.5);
    const statuses = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let session = uses.pop(); session !== undefined; session = uses.pop()) {
          const asked = { method: 'tools/call', params: { name: 'functions.Where', arguments: {} } };
          const response = await legacy(proxy.url, { ...asked, id: crypto.randomUUID() }, session);
          await response.text();
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        }
      }),
    );
    expect([...statuses]).toEqual([[200, 600]]);
  });

  // The last one: it ends processes.
  it(
    proves('share.sessions', 'processes are killed one by one, and their clients go on, also with listening'),
    async () => {
      const clients = await Promise.all(Object.values(CLIENTS).map((open) => open()));
      const legacyClients = clients.slice(1);
      for (const client of legacyClients) await client.subscribe('note://killed');
      for (const left of [2, 1]) {
        const { child } = served[2 - left]!;
        child.kill('SIGKILL');
        await until(() => child.signalCode !== null);
        const living = new Set(served.slice(-left).map((one) => one.child.pid));
        for (const client of clients) for (let i = 0; i < 6; i++) expect(living).toContain(await client.call('Where'));
        for (const client of clients) expect(await client.call('Confirm', { what: 'still' })).toMatch('still true');
        // Those that listened there connect again after a second; what was announced meanwhile, they missed.
        for (const client of legacyClients) {
          client.notified.length = 0;
          for (let tries = 0; client.notified.length === 0; tries++) {
            if (tries > 50) throw new Error('no notification');
            await change({ uri: 'note://killed' });
            await sleep(100);
          }
        }
      }
      for (const client of clients) await client.close();
    },
  );
});
