import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Limits } from 'everywire';
import type { TlsOptions } from 'everywire/node';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canCertify, createCertificate, nameServedBy, openssl, type Certificate } from '../kit/certificates.ts';
import { command } from '../kit/command.ts';
import { expectErrors } from '../kit/errors.ts';
import { startHost, stopHosts } from '../kit/host-app.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { raw } from '../kit/raw.ts';
import { startServing } from '../kit/served.ts';

// By the test that installs a certificate without its key.
expectErrors(/^error: TLS: the key in \S+ does not belong to the certificate in \S+; the previous certificate stays/);

const exec = promisify(execFile);
const CALCULATOR = 'examples/calculator/app.ts';

let first: Certificate;
let second: Certificate;
beforeAll(() => {
  if (!canCertify) return;
  first = createCertificate('first');
  second = createCertificate('second');
});

afterEach(stopHosts);

const start = (limits: Partial<Limits> = {}, tls: TlsOptions = first) => startHost({ limits }, { tls });

async function curl(...args: readonly string[]): Promise<string> {
  const { stdout } = await exec('curl', ['--silent', '--show-error', ...args]);
  return stdout;
}

/** A key as PEM whose base64 contains two slashes after each other. */
function keyWithSlashes(): string {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    if (pem.includes('//')) return pem;
  }
}

describe.runIf(canCertify)('HTTPS', () => {
  it(proves('http.tls', 'is served by the command, and its certificate is verified by curl'), async () => {
    const served = await startServing(CALCULATOR, '--tls-cert', first.cert, '--tls-key', first.key);
    try {
      expect(served.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
      expect(served.stderr()).toContain(`MCP       ${served.url}/mcp`);
      for (const version of ['--http1.1', '--http2', '--tlsv1.3']) {
        const called = curl(version, '--cacert', first.cert, '--json', '{"x":1,"y":2}', `${served.url}/functions/Add`);
        expect(await called).toBe('{"result":3}');
      }
      const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const accept = 'Accept: application/json, text/event-stream';
      const tools = await curl('-k', '-H', accept, '--json', JSON.stringify(listed), `${served.url}/mcp`);
      expect(tools).toContain('functions.Add');
    } finally {
      expect(await served.stop()).toBe(0);
    }
  });

  it(proves('http.tls', 'SIGHUP reads the files again; connections stay, a broken pair is not used'), async () => {
    const folder = temporaryFolder('tls-reload');
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const install = ({ cert, key }: Certificate) => {
      copyFileSync(cert, files.cert);
      copyFileSync(key, files.key);
    };
    install(first);
    const served = await startServing(CALCULATOR, '--tls-cert', files.cert, '--tls-key', files.key);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    const healthOnSameConnection = async () => {
      const asked = request(`${served.url}/healthz`, { agent }).end();
      const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
      response.resume();
      await once(response, 'end');
      return { status: response.statusCode, reused: asked.reusedSocket };
    };
    try {
      expect(await healthOnSameConnection()).toEqual({ status: 200, reused: false });
      expect(await nameServedBy(served)).toBe('first');
      install(second);
      served.child.kill('SIGHUP');
      await expect.poll(served.stderr).toContain('SIGHUP: the certificate was read again');
      expect(await nameServedBy(served)).toBe('second');
      expect(await healthOnSameConnection()).toEqual({ status: 200, reused: true });
      copyFileSync(first.cert, files.cert);
      served.child.kill('SIGHUP');
      const wrong = `the key in ${files.key} does not belong to the certificate in ${files.cert}`;
      await expect.poll(served.stderr).toContain(`error: TLS: ${wrong}; the previous certificate stays in use`);
      expect(await nameServedBy(served)).toBe('second');
      expect(await healthOnSameConnection()).toEqual({ status: 200, reused: true });
    } finally {
      agent.destroy();
      expect(await served.stop()).toBe(0);
    }
  });

  it(proves('http.tls', 'without TLS, SIGHUP ends the process as before'), async () => {
    const served = await startServing(CALCULATOR);
    const ended = once(served.child, 'exit');
    served.child.kill('SIGHUP');
    expect(await ended).toEqual([null, 'SIGHUP']);
  });

  it(proves('http.tls', 'takes PEM texts, and new ones while it runs'), async () => {
    const read = (file: string) => readFileSync(file, 'utf8');
    const textsOf = ({ cert, key }: Certificate) => ({ cert: read(cert), key: read(key) });
    const host = await start({}, textsOf(first));
    expect(await nameServedBy(host)).toBe('first');
    host.reloadTls(textsOf(second));
    expect(await nameServedBy(host)).toBe('second');
    expect(() => host.reloadTls({ ...textsOf(second), key: textsOf(first).key })).toThrow(
      'TLS: the key in tls.key does not belong to the certificate in tls.cert',
    );
    const plain = await startHost();
    expect(() => plain.reloadTls(first)).toThrow('reloadTls: this server was started without the option tls');
  });

  it(proves('http.tls', 'files come from the environment, too; one alone is refused'), async () => {
    const { cert: EVERYWIRE_TLS_CERT, key: EVERYWIRE_TLS_KEY } = first;
    const serveWith = (env: Record<string, string>) => command(['serve', CALCULATOR, '--port', '0'], { env });
    const needs = (given: string, other: string) =>
      `error: --tls-${given} needs --tls-${other}\nSee everywire serve --help\n`;
    expect(await serveWith({ EVERYWIRE_TLS_CERT })).toMatchObject({ code: 2, stderr: needs('cert', 'key') });
    expect(await serveWith({ EVERYWIRE_TLS_KEY })).toMatchObject({ code: 2, stderr: needs('key', 'cert') });
    // The texts themselves, whose base64 may contain what a path would lose: // and /../ are kept, or the key were damaged.
    const texts = { EVERYWIRE_TLS_CERT: readFileSync(first.cert, 'utf8'), EVERYWIRE_TLS_KEY: keyWithSlashes() };
    expect((await serveWith(texts)).stderr).toBe(
      'error: TLS: the key in tls.key does not belong to the certificate in tls.cert\n',
    );
    // A key that is not there: both were read from the environment.
    const missing = await serveWith({ EVERYWIRE_TLS_CERT, EVERYWIRE_TLS_KEY: 'no.pem' });
    expect(missing.stderr).toMatch(/^error: TLS key: cannot read \S*no\.pem: no such file\n$/);
    expect(missing.code).toBe(1);
  });
});

describe.runIf(canCertify)('a certificate that cannot be used', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder('tls-wrong', {
      'folder/file': '',
      'text.pem': 'nothing',
      'damaged.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'damaged-key.pem': '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    });
    openssl('x509', '-in', first.cert, '-outform', 'der', '-out', join(folder, 'cert.der'));
    openssl('pkey', '-in', first.key, '-aes256', '-passout', 'pass:secret', '-out', join(folder, 'locked.pem'));
    openssl('ec', '-in', first.key, '-aes256', '-passout', 'pass:secret', '-out', join(folder, 'locked-ec.pem'));
    const weak = ['-newkey', 'rsa:512', '-nodes', '-subj', '/CN=weak', '-days', '2'];
    openssl('req', '-x509', ...weak, '-keyout', join(folder, 'weak-key.pem'), '-out', join(folder, 'weak.pem'));
  });

  it.each([
    ['missing.pem', '', /^TLS certificate: cannot read \S+missing\.pem: no such file$/],
    ['', 'missing.pem', /^TLS key: cannot read \S+missing\.pem: no such file$/],
    ['folder', '', /^TLS certificate: cannot read \S+folder: it is a folder$/],
    ['text.pem', '', /^TLS certificate: \S+text\.pem is not a PEM file; expected a certificate between -----BEGIN/],
    ['cert.der', '', /^TLS certificate: \S+cert\.der is not a PEM file; expected/],
    ['locked.pem', '', /^TLS certificate: \S+locked\.pem has "ENCRYPTED PRIVATE KEY"; expected a certificate/],
    ['', 'damaged.pem', /^TLS key: \S+damaged\.pem has "CERTIFICATE"; expected a key/],
    ['damaged.pem', '', /^TLS certificate: \S+damaged\.pem is damaged: /],
    ['', 'damaged-key.pem', /^TLS key: \S+damaged-key\.pem is damaged: /],
    ['', 'locked.pem', /^TLS key: \S+locked\.pem is protected with a passphrase; write one without: openssl pkey -in /],
    ['', 'locked-ec.pem', /^TLS key: \S+locked-ec\.pem is protected with a passphrase/],
    ['weak.pem', 'weak-key.pem', /^TLS: \S+weak\.pem cannot be used: .*too small/],
    ['weak.pem', '', /^TLS: the key in \S+key\.pem does not belong to the certificate in \S+weak\.pem$/],
  ])(proves('http.tls', 'is refused at the start: "%s" with "%s"'), async (cert, key, message) => {
    const pair = { cert: cert ? join(folder, cert) : first.cert, key: key ? join(folder, key) : first.key };
    const error = await start({}, pair).catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });

  it(proves('http.tls', 'is refused if it may not be read'), async () => {
    const locked = join(folder, 'secret.pem');
    copyFileSync(first.cert, locked);
    chmodSync(locked, 0);
    const host = await start();
    // root may read everything, and so is somebody else for a moment. Reading is synchronous.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(() => host.reloadTls({ ...first, cert: locked })).toThrow(/cannot read .*secret\.pem: permission denied$/);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(await nameServedBy(host)).toBe('first');
  });
});

describe.runIf(canCertify)('what is not TLS', () => {
  it(proves('http.tls', 'if it is HTTP, is told to use https://'), async () => {
    const { url } = await start();
    const reply = await curl('-i', `${url.replace('https', 'http')}/healthz`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(reply).toMatch(/\r\n\r\n\{"error":"This port serves HTTPS; use https:\/\/"\}$/);
  });

  it(proves('http.tls', 'if it is neither, or a handshake that stalls, is cut off'), async () => {
    const host = await start({ headersTimeout: 300, requestTimeout: 300 });
    const plain = host.url.replace('https', 'http');
    await Promise.all(['', 'GARBAGE'.repeat(10), '\x16\x03\x01\x02'].map((sent) => raw(plain, sent)));
    expect(await curl('-k', `${host.url}/healthz`)).toBe('{"status":"ok"}');
  });
});
