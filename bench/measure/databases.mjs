import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { scratch } from './children.mjs';

/** PostgreSQL refuses to run as root; this is the user `nobody` of Linux. */
const NOBODY = 65_534;
const DEBIAN = '/usr/lib/postgresql';

/** Servers of their own, in the folder of this run. Undefined if they are not installed. */
export const databases = { redis: startRedis, postgres: startPostgres };

async function startRedis() {
  const port = await freePort();
  const folder = join(scratch, `redis-${port}`);
  mkdirSync(folder);
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--dir', folder];
  return start('redis-server', settings, {}, `redis://127.0.0.1:${port}`, () =>
    ping(['redis-cli', '-p', `${port}`, 'ping']),
  );
}

async function startPostgres() {
  const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => b - a)[0] : undefined;
  if (version === undefined) return undefined;
  const program = (name) => join(DEBIAN, version, 'bin', name);
  const port = await freePort();
  const folder = join(scratch, `postgres-${port}`);
  mkdirSync(folder);
  const user = process.getuid() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  // The folder of the run is for its owner only, who is root.
  if (user.uid) execFileSync('chmod', ['755', scratch]);
  if (user.uid) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(program('initdb'), ['-D', data, '-U', 'bench', '-A', 'trust'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const settings = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', folder];
  return start(
    program('postgres'),
    settings,
    { ...user, cwd: folder },
    `postgres://bench@127.0.0.1:${port}/postgres`,
    () => ping([program('pg_isready'), '-h', '127.0.0.1', '-p', `${port}`]),
  );
}

async function start(program, args, options, url, isReady) {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  const failed = once(child, 'error').then(() => 'missing');
  for (let tries = 0; tries < 300; tries++) {
    if ((await Promise.race([failed, isReady()])) === 'missing') return undefined;
    if (await isReady()) return { url, stop: () => stop(child) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${program} did not start`);
}

async function stop(child) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function ping([program, ...args]) {
  const child = spawn(program, args, { stdio: 'ignore' });
  const [code] = await Promise.race([once(child, 'exit'), once(child, 'error').then(() => [1])]);
  return code === 0;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
