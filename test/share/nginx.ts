import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../kit/free-port.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const PATH = `${process.env['PATH']}:/usr/sbin`;
const isInstalled = spawnSync('sh', ['-c', 'command -v nginx'], { env: { PATH } }).status === 0;

/** Tests that need nginx are skipped without it; in CI they fail. */
export const hasNginx = isInstalled || process.env['CI'] === 'true';
if (!isInstalled) console.error('NOT TESTED: nginx (it is not installed)');

export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** nginx with the configuration of docs/scaling.md, in front of servers on loopback. Each request goes to the next one. */
export async function startNginx(servers: readonly string[]): Promise<Proxy> {
  const folder = temporaryFolder('nginx');
  const port = await freePort();
  const documented = /^```nginx\n(.*?)^```/ms.exec(readFileSync('docs/scaling.md', 'utf8'))?.[1] ?? '';
  const addresses = servers.map((url) => `    server ${new URL(url).host};\n`).join('');
  const site = documented
    .replace(/(?: {4}server 10\.[\d.:]+;\n)+/, addresses)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}`;
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(`${folder}/nginx.conf`, `${user} ${main} http { access_log off; ${temporary.join(' ')}\n${site} }`);
  const child = spawn('nginx', ['-c', `${folder}/nginx.conf`], { stdio: 'inherit', env: { ...process.env, PATH } });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isUp(url)); tries++) {
    if (child.exitCode !== null || tries > 200) throw new Error(readFileSync(`${folder}/error.log`, 'utf8'));
    await sleep(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const isUp = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
