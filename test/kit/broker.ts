import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startCommand } from './served.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

/**
 * The broker starts what test files share, once for the run and when the first of them asks: servers, databases, a browser,
 * built apps, the packed package. It runs in the main process of the tests; test files reach it through a socket. What it
 * hands out belongs to everybody: a file that stops, kills or reconfigures a part starts its own, and says why.
 */
interface Parts {
  /** `everywire serve` of a module, with flags. */
  serve(module: string, ...flags: string[]): Promise<{ url: string }>;
  /** A database of a shared Redis server that no other file has. */
  redis(): Promise<{ url: string }>;
  /** A database of a shared PostgreSQL server that no other file has. */
  postgres(): Promise<{ url: string }>;
  /** The address of a Chromium, for playwright's `connect`. */
  chromium(): Promise<{ address: string }>;
  /** The file that `everywire build` writes for a module. */
  built(module: string, kind: 'mjs' | 'cjs'): Promise<{ path: string }>;
  /** The tarballs of this package and of create-everywire, as npm would publish them. */
  packed(): Promise<{ everywire: string; create: string }>;
  /** A folder in which the packed package is installed, with zod and typescript. Nobody may change it. */
  installed(): Promise<{ folder: string }>;
}

const ADDRESS = 'EVERYWIRE_TEST_BROKER';

/** Asks the broker of the run for a part. */
export async function shared<Kind extends keyof Parts>(
  kind: Kind,
  ...args: Parameters<Parts[Kind]>
): Promise<Awaited<ReturnType<Parts[Kind]>>> {
  const sent = request({ socketPath: process.env[ADDRESS], method: 'POST', agent: false });
  sent.end(JSON.stringify({ kind, args }));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = await textOf(answer);
  if (answer.statusCode !== 200) throw new Error(text);
  return JSON.parse(text) as Awaited<ReturnType<Parts[Kind]>>;
}

/** The address of a server that all test files share. For tests that neither stop it nor change what others see. */
export async function sharedServer(module: string, ...flags: readonly string[]): Promise<string> {
  return (await shared('serve', module, ...flags)).url;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) text += String(chunk);
  return text;
}

export interface Broker {
  close(): Promise<void>;
}

/** Starts the broker of a run, with its files in this folder. */
export async function startBroker(folder: string): Promise<Broker> {
  const home = join(folder, 'shared');
  mkdirSync(home);
  const ends: (() => Promise<unknown>)[] = [];
  const parts = partsIn(home, (end) => void ends.push(end));
  const started = new Map<string, Promise<unknown>>();
  const server = createServer((asked, answer) => {
    void (async () => {
      const { kind, args } = JSON.parse(await textOf(asked)) as { kind: keyof Parts; args: string[] };
      // Each file gets a database of its own; everything else is shared by all that ask for the same.
      const key = JSON.stringify([kind, ...args]);
      const start = () => (parts[kind] as (...given: string[]) => Promise<unknown>)(...args);
      const isOwn = kind === 'redis' || kind === 'postgres';
      const found = isOwn ? start() : (started.get(key) ?? start());
      if (!isOwn) started.set(key, found);
      try {
        answer.end(JSON.stringify(await found));
      } catch (error) {
        answer.writeHead(500).end(`The broker cannot start ${key}: ${(error as Error).message}`);
      }
    })();
  });
  const socket = join(folder, 'broker');
  await once(server.listen(socket), 'listening');
  process.env[ADDRESS] = socket;
  return {
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all(ends.map((end) => end()));
      removeTemporaryFolders();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      delete process.env[ADDRESS];
    },
  };
}

const exec = promisify(execFile);

/** The socket of PostgreSQL is there before it takes connections. */
async function untilReady(connect: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 30_000; ; await sleep(50)) {
    try {
      return void (await connect());
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

function partsIn(home: string, onEnd: (end: () => Promise<unknown>) => void): Parts {
  let [redis, postgres]: Promise<{ url: string }>[] = [];
  let databases = 0;
  const parts: Parts = {
    async serve(module, ...flags) {
      const { url, stop } = await startCommand('serve', module, ...flags);
      onEnd(stop);
      return { url };
    },
    async redis() {
      const database = ++databases;
      redis ??= (async () => {
        const { startRedis } = await import('./redis.ts');
        const server = await startRedis(undefined, '--databases', '1000');
        onEnd(() => server.stop());
        return server;
      })();
      return { url: `${(await redis).url}/${database}` };
    },
    async postgres() {
      const name = `test_${++databases}`;
      postgres ??= (async () => {
        const { startPostgres } = await import('../../examples/shop/test/postgres.ts');
        const server = await startPostgres();
        onEnd(() => server.stop());
        await untilReady(server.connections);
        return server;
      })();
      const { url } = await postgres;
      const { Client } = await import('pg');
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return { url: url.replace('/postgres?', `/${name}?`) };
    },
    async chromium() {
      const { chromium } = await import('playwright-core');
      const { findChromium } = await import('./chromium.ts');
      const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      const server = await chromium.launchServer({ executablePath: findChromium()!, args });
      onEnd(() => server.close());
      return { address: server.wsEndpoint() };
    },
    async built(module, kind) {
      const path = join(home, `${module.replaceAll(/\W/g, '-')}.${kind}`);
      await exec(process.execPath, ['dist/bin/everywire.js', 'build', module, '--out', path]);
      return { path };
    },
    async packed() {
      const packages = ['.', './packages/create-everywire'];
      const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home, ...packages];
      const { stdout } = await exec('npm', args);
      const [everywire = '', create = ''] = [...stdout.matchAll(/"filename": *"([^"]+)"/g)].map(([, name = '']) =>
        join(home, name),
      );
      return { everywire, create };
    },
    async installed() {
      const { everywire } = await parts.packed();
      const folder = join(home, 'installed');
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
      const { devDependencies } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as {
        devDependencies: Record<string, string>;
      };
      const packages = [everywire, ...['zod', 'typescript'].map((name) => `${name}@${devDependencies[name]}`)];
      const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
      await exec('npm', ['install', ...options, ...packages], { cwd: folder });
      return { folder };
    },
  };
  return parts;
}
