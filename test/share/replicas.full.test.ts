import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canCertify, createCertificate } from '../kit/certificates.ts';
import { freePort } from '../kit/free-port.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { legacy, messagesIn, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { startServing, type Served } from '../kit/served.ts';
import { CLIENTS, type Subject } from './clients.ts';

const PATH = `${process.env['PATH']}:/usr/sbin`;
const isInstalled = spawnSync('sh', ['-c', 'command -v nginx'], { env: { PATH } }).status === 0;

/** Tests that need nginx are skipped without it; in CI they fail. */
const hasNginx = isInstalled || process.env['CI'] === 'true';
if (!isInstalled) console.error('NOT TESTED: nginx (it is not installed)');

interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** nginx with the configuration of a page, adapted to this machine. */
async function startNginx(page: string, adapt: (site: string) => string): Promise<Proxy> {
  const folder = temporaryFolder('nginx');
  const port = await freePort();
  const documented = /^```nginx\n(.*?)^```/ms.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
  const site = adapt(documented).replace('listen 80;', `listen 127.0.0.1:${port};`);
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
  fetch(`${url}/healthz`, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

const ledger = join(temporaryFolder('ledger'), 'ledger');
let served: Served[] = [];
let proxy: Proxy;

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000 });

const change = async (given: object) => messagesIn(await legacy(proxy.url, tool('Change', given)));

describe.runIf(hasRedis && hasNginx)('processes behind nginx in round robin', () => {
  beforeAll(async () => {
    writeFileSync(ledger, '');
    vi.stubEnv('LEDGER', ledger);
    const store = (await shared('redis')).url;
    served = await Promise.all([1, 2, 3, 4].map(() => startServing('test/share/app.ts', '--store', store)));
    // Each request goes to the next one.
    const addresses = served.map(({ url }) => `    server ${new URL(url).host};\n`).join('');
    proxy = await startNginx('docs/scaling.md', (site) => site.replace(/(?: {4}server 10\.[\d.:]+;\n)+/, addresses));
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(served.map((one) => one.stop()));
    vi.unstubAllEnvs();
  });

  it.each(Object.keys(CLIENTS))(proves('share.sessions', 'client %s can do everything'), async (name) => {
    const client = await CLIENTS[name]!(proxy.url);
    const pids = new Set<unknown>();
    for (let i = 0; i < 12; i++) pids.add(await client.call('Where'));
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
    expect(client.notified.filter((one) => one !== 'tools')).toEqual(Array.from({ length: 3 }, () => `note://${name}`));

    const leaving = new AbortController();
    const slow = client.call('Slow', { label: name }, leaving.signal);
    await until(() => readFileSync(ledger, 'utf8').includes(`began ${name}\n`));
    leaving.abort();
    await expect(slow).rejects.toThrow();
    await until(() => readFileSync(ledger, 'utf8').includes(`cancelled ${name}\n`));
    await client.close();
  });

  it(
    proves('share.sessions', 'one is killed under load: only the calls that were under way in it are lost'),
    { timeout: 120_000 },
    async () => {
      const kinds = Object.values(CLIENTS).flatMap((open) => Array.from({ length: 4 }, () => open));
      const clients = await Promise.all(kinds.map((open) => open(proxy.url)));
      let isRunning = true;
      const called: { began: number; pid?: string | number; error?: string }[] = [];
      const load = async (client: Subject) => {
        while (isRunning) {
          const began = performance.now();
          const end = await client.call('Where').then(
            (pid) => ({ pid }),
            (thrown: unknown) => ({ error: String(thrown) }),
          );
          called.push({ began, ...end });
        }
      };
      const loading = Promise.all(clients.map(load));
      await sleep(10_000);
      const dead = served.pop()!;
      dead.child.kill('SIGKILL');
      await once(dead.child, 'exit');
      const diedAt = performance.now();
      await sleep(20_000);
      isRunning = false;
      await loading;
      const failed = called.filter(({ error }) => error !== undefined);
      report('replicas', {
        calls: called.length,
        'calls after it died': called.filter(({ began }) => began > diedAt).length,
        'calls lost': failed.length,
        clients: clients.length,
      });
      // Each client has one call under way at a time.
      expect(failed.length).toBeLessThanOrEqual(clients.length);
      expect(failed.filter(({ began }) => began > diedAt)).toEqual([]);
      expect(failed.filter(({ error }) => /session|404/i.test(error!))).toEqual([]);
      const after = called.filter(({ began, pid }) => began > diedAt && pid !== undefined);
      expect(new Set(after.map(({ pid }) => pid))).toEqual(new Set(served.map(({ child }) => child.pid)));
      await Promise.all(clients.map((client) => client.close()));
    },
  );

  // The last one: it ends processes.
  it(proves('share.sessions', 'clients go on, also with listening, when processes are killed'), async () => {
    const clients = await Promise.all(Object.values(CLIENTS).map((open) => open(proxy.url)));
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
  });
});

it.runIf(hasNginx && canCertify)(
  proves('access.proxy', 'behind nginx of docs/deploy.md, with the options of its service, clients are who they are'),
  async () => {
    const unit = readFileSync('docs/deploy.md', 'utf8');
    const [, flags = ''] = /^ExecStart=.* serve --port 8080 --workers auto (.*) --env DATABASE_URL$/m.exec(unit) ?? [];
    const one = await startServing('test/apps/access.ts', ...flags.split(' '));
    const { cert, key } = createCertificate();
    const port = await freePort();
    const nginx = await startNginx('docs/deploy.md', (site) =>
      site
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
        .replace('http://127.0.0.1:8080', one.url),
    );
    const curl = (...args: readonly string[]) =>
      spawnSync('curl', ['-sk', '--resolve', `api.example.com:${port}:127.0.0.1`, ...args]).stdout.toString();
    const site = `https://api.example.com:${port}`;
    const claims = ['-H', 'X-Forwarded-For: 203.0.113.9', '-H', 'Forwarded: for=6.6.6.6;proto=http'];
    const seen = '"address":"203.0.113.9","scheme":"https"';
    expect(curl(...claims, `${site}/functions/WhoAmI`)).toContain(seen);
    expect(curl('-o', '/dev/null', '-w', '%{redirect_url}', '-H', 'Host: api.example.com', `${nginx.url}/readyz`)).toBe(
      'https://api.example.com/readyz',
    );
    expect(curl(`${site}/console/`)).toContain('"error"');
    await nginx.stop();
    await one.stop();
  },
);
