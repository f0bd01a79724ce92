import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../kit/free-port.ts';

export const webServers = ['apache', 'lighttpd', 'nginx'] as const;
export type WebServer = (typeof webServers)[number];

/** A web server from Debian, on loopback, with the configuration of docs/deploy-cgi.md. */
export interface RunningServer {
  /** The URL of the folder with the scripts. */
  readonly url: string;
  readonly folder: string;
  errorLog(): string;
  stop(): Promise<void>;
}

const AS_WWW_DATA = ['setpriv', '--reuid=www-data', '--regid=www-data', '--clear-groups'];

const PROGRAMS: Record<WebServer, (folder: string) => readonly (readonly string[])[]> = {
  apache: (folder) => [['apache2', '-D', 'FOREGROUND', '-f', `${folder}/apache.conf`]],
  lighttpd: (folder) => [['lighttpd', '-D', '-f', `${folder}/lighttpd.conf`]],
  nginx: (folder) => [
    [...AS_WWW_DATA, 'fcgiwrap', '-f', '-c', '4', '-s', `unix:${folder}/fcgiwrap.sock`],
    ['nginx', '-c', `${folder}/nginx.conf`],
  ],
};

/** Why web servers cannot run here; undefined if they can. */
export function whyNoServers(): string | undefined {
  const missing = ['apache2', 'lighttpd', 'nginx', 'fcgiwrap', 'setpriv'].filter(
    (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0,
  );
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  return process.getuid?.() === 0 ? undefined : 'only root may start them as www-data';
}

/** `scripts` go into its cgi-bin: names, and files to copy. `more` is added to the configuration. */
export async function startWebServer(
  server: WebServer,
  scripts: Record<string, string>,
  more = '',
): Promise<RunningServer> {
  // Another process may take the free port before the server does.
  return tryToStart(server, scripts, more).catch(() => tryToStart(server, scripts, more));
}

async function tryToStart(server: WebServer, scripts: Record<string, string>, more: string): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), `everywire-${server}-`));
  const port = await freePort();
  mkdirSync(`${folder}/cgi-bin`);
  for (const [name, file] of Object.entries(scripts)) {
    cpSync(file, `${folder}/cgi-bin/${name}`);
    chmodSync(`${folder}/cgi-bin/${name}`, 0o755);
  }
  // The documented configuration, with the paths and the port of this run.
  const text = `${readFileSync(`examples/cgi/${server}.conf`, 'utf8')}${more}\n`
    .replaceAll('/srv/calculator', folder)
    .replaceAll('8080', String(port))
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('/tmp/nginx-', `${folder}/nginx-`);
  writeFileSync(`${folder}/${server}.conf`, text);
  writeFileSync(`${folder}/error.log`, '');
  const { uid, gid } = wwwData();
  for (const path of [folder, `${folder}/error.log`]) chownSync(path, uid, gid);
  chmodSync(folder, 0o755);

  const children: ChildProcess[] = PROGRAMS[server](folder).map(([program = '', ...args]) =>
    spawn(program, args, {
      stdio: 'ignore',
      // Its own process group: fcgiwrap leaves its workers behind.
      detached: true,
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    }),
  );
  const errorLog = () => readFileSync(`${folder}/error.log`, 'utf8');
  const stop = async () => {
    for (const child of children) {
      if (child.exitCode !== null) continue;
      const ended = once(child, 'exit');
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await untilListening(port, children, errorLog);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}/cgi-bin`, folder, errorLog, stop };
}

function wwwData(): { readonly uid: number; readonly gid: number } {
  const [, , uid, gid] = /^www-data:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function untilListening(port: number, children: readonly ChildProcess[], log: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const dead = children.find(({ exitCode }) => exitCode !== null);
    if (dead) throw new Error(`${dead.spawnfile} ended with ${dead.exitCode}: ${log()}`);
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}: ${log()}`);
}
