import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 30_000;

/** A server refuses to run as root; this is the user `nobody` of Linux. */
const NOBODY = 65_534;

export interface Postgres {
  /** For DATABASE_URL: a database that is not there for anybody else. */
  readonly url: string;
  /** How many connections there are. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

/** The folder with the programs of PostgreSQL, if it is installed. Debian has one for each version. */
function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...process.env['PATH']!.split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

const programs = findPrograms();

/** Tests that need a database are skipped without one; in CI they fail. */
export const hasPostgres = programs !== undefined || process.env['CI'] === 'true';
if (!programs) console.error('NOT TESTED: PostgreSQL (it is not installed)');

/** Starts a server of its own: in a temporary folder, as a user without rights, on a Unix socket that has no port. */
export async function startPostgres(): Promise<Postgres> {
  if (!programs) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'shop-'));
  const password = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  for (const path of [folder, join(folder, 'password')]) if (user.uid) chownSync(path, user.uid, user.gid);
  const data = join(folder, 'data');
  const initialise = [
    '-D',
    data,
    '-U',
    'shop',
    '-A',
    'scram-sha-256',
    '--pwfile',
    join(folder, 'password'),
    '-E',
    'UTF8',
  ];
  execFileSync(join(programs, 'initdb'), [...initialise, '--no-sync'], { ...user, cwd: folder, stdio: 'pipe' });
  // Many processes of the tests have a pool each.
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=500', '-k', folder];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const exited = once(server, 'exit');
  await until(() => existsSync(join(folder, '.s.PGSQL.5432')) && server.exitCode === null);
  const url = `postgres://shop:${password}@localhost/postgres?host=${encodeURIComponent(folder)}`;
  return {
    url,
    connections: () => countConnections(url),
    async stop() {
      server.kill('SIGINT'); // ends connections, and does not wait for them
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function countConnections(url: string): Promise<number> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const others = `backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE ${others}`,
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE; !isTrue(); await sleep(50)) {
    if (Date.now() > end) throw new Error(`PostgreSQL did not start within ${PATIENCE} ms`);
  }
}
