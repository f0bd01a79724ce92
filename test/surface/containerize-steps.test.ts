import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../access/issuer.ts';
import { canContain, contain, execute, runStep, type Image, type RunStep } from '../dockerfile/execute.ts';
import { parseDockerfile } from '../dockerfile/parse.ts';
import { canCertify, createCertificate } from '../kit/certificates.ts';
import { asJson } from '../kit/as-json.ts';
import { shared } from '../kit/broker.ts';
import { builtApp } from '../kit/built.ts';
import { command } from '../kit/command.ts';
import { untilServing } from '../kit/served.ts';
import { size } from '../kit/sizes.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';

/** Readable for every user: the app does not run as the user who built it. */
const folder = mkdtempSync(join(tmpdir(), 'everywire-steps-'));
const project = join(folder, 'project');
const isRoot = process.getuid?.() === 0;
let image: Image;
const started: ChildProcess[] = [];

/**
 * In `npm test` nothing is installed: `npm ci` leads to the packed package, and the build is the one that other tests share. At
 * full size both are done as the Dockerfile says.
 */
const isReal = size(0, 1) === 1;

const withoutInstall: RunStep = async (words, cwd, env) => {
  const line = words.join(' ');
  if (line === 'npm ci') return unpackInto(cwd, 'zod');
  const [, out] = /^npx --no -- everywire build \.\/app\.ts --out (\S+) --copy-externals$/.exec(line) ?? [];
  if (out === undefined) return runStep(words, cwd, env);
  mkdirSync(dirname(out), { recursive: true });
  copyFileSync(await builtApp('calculator'), out);
  return undefined;
};

beforeAll(async () => {
  chmodSync(folder, 0o755);
  mkdirSync(project);
  cpSync('examples/calculator/app.ts', join(project, 'app.ts'));
  writeFileSync(join(project, '.env'), 'SECRET=1\n');
  // In the project, where docker can reach it.
  copyFileSync((await shared('packed')).everywire, join(project, 'everywire.tgz'));
  const dependencies = { everywire: 'file:./everywire.tgz', zod: '^4' };
  const manifest = { name: 'sums', type: 'module', dependencies, devDependencies: { rolldown: '^1.3' } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  if (isReal) {
    await promisify(execFile)('npm', ['install', '--package-lock-only', '--prefer-offline', '--no-audit'], {
      cwd: project,
    });
    // If the registry lacks packages for other platforms, npm writes a lock that npm ci refuses.
    await promisify(execFile)(process.execPath, [resolve('scripts/complete-lock.mjs')], { cwd: project });
  } else {
    const packages = { 'node_modules/everywire': { version: '0.1.0' }, 'node_modules/rolldown': { version: '1.3.0' } };
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  }
  // The author's node_modules, which must not get into the image.
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  const written = await command(['containerize', 'app.ts', '--dockerfile-only'], { cwd: project });
  expect(written, written.stderr).toMatchObject({ code: 0 });
  const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
  image = await execute(parseDockerfile(dockerfile), project, folder, isReal ? runStep : withoutInstall);
}, 120_000);

afterAll(() => {
  for (const container of started) container.kill('SIGKILL'); // what a failing test has left behind
  rmSync(folder, { recursive: true, force: true });
});

/** Imitates the container: its user, only its environment, and no writable folder. */
function start(args: readonly string[] = image.command, env: Readonly<Record<string, string>> = {}) {
  const [program = '', ...words] = image.entrypoint.map((word) => word.replace(/^\/app\//, `${image.root}$&`));
  const container = spawn(program, [...words, ...args], {
    cwd: image.cwd,
    env: { PATH: process.env['PATH'], TMPDIR: '/nowhere', ...image.env, ...env },
    // Without root we cannot change the user, but are not root either.
    ...(isRoot && { uid: image.uid, gid: image.gid }),
  });
  started.push(container);
  return container;
}

type Container = ReturnType<typeof start>;

async function startServing(...args: readonly string[]): Promise<{ container: Container; port: string }> {
  const container = start([...image.command, ...args], { EVERYWIRE_PORT: '0' });
  return { container, port: await portOf(container) };
}

/** The port that it prints; it listens on all addresses. */
async function portOf(container: Container): Promise<string> {
  return new URL((await untilServing(container)).url).port;
}

async function ended(container: Container): Promise<number | null> {
  if (container.exitCode === null) await once(container, 'exit');
  return container.exitCode;
}

/** The exit code of the health check in the Dockerfile, in a container whose first process has these arguments. */
async function health(
  port: string | number,
  argv?: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  // In docker it would be process 1; here /proc/1/cmdline is faked.
  const pidOne = join(folder, 'pid-1.cjs');
  writeFileSync(
    pidOne,
    `const fs = require('node:fs');
      const { readFileSync } = fs;
      const argv = process.env.ARGV && JSON.parse(process.env.ARGV);
      fs.readFileSync = (file, ...rest) =>
        argv && file === '/proc/1/cmdline' ? Buffer.from(argv.join('\\0') + '\\0') : readFileSync(file, ...rest);`,
  );
  const [program = '', ...words] = image.healthCheck;
  const check = spawn(program, words, {
    env: {
      PATH: process.env['PATH'],
      ...image.env,
      EVERYWIRE_PORT: String(port),
      ...env,
      NODE_OPTIONS: `--require ${pidOne}`,
      ...(argv && { ARGV: JSON.stringify(argv) }),
    },
    // Over HTTPS, Node warns that the certificate is not verified.
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  await once(check, 'exit');
  return check.exitCode;
}

/** A server that responds to everything with one status. */
const answering = (status: number) => startServer((_request, response) => response.writeHead(status).end());
const portIn = ({ url }: { url: string }) => new URL(url).port;

describe('the steps of the Dockerfile, executed in an empty folder', () => {
  it(proves('containerize.steps', 'leave one file, which the app cannot change'), () => {
    const files = readdirSync(image.root, { recursive: true, encoding: 'utf8' });
    expect(files.toSorted()).toEqual(['app', 'app/app.mjs']);
    const { mode, uid } = statSync(join(image.root, 'app/app.mjs'));
    expect((mode & 0o777).toString(8)).toBe('555');
    expect(uid).toBe(process.getuid?.());
    expect(image.uid).toBeGreaterThan(0);
  });

  it(proves('containerize.steps', 'take no secret and nothing of what was installed before'), () => {
    const sources = readdirSync(join(folder, 'build/src'));
    expect(sources).toContain('app.ts');
    expect(sources).not.toContain('.env');
    expect(statSync(join(folder, 'build/src/node_modules')).isDirectory()).toBe(true);
    expect(readdirSync(join(folder, 'build/src/node_modules'))).not.toContain('vitest');
  });

  it(proves('containerize.steps', 'make an app that serves, is healthy, and stops on SIGTERM'), async () => {
    const { container, port } = await startServing();
    const response = await fetch(`http://127.0.0.1:${port}/functions/Add`, asJson({ x: 10, y: 20 }));
    expect(await response.text()).toBe('{"result":30}');
    expect(await health(port)).toBe(0);
    expect(await health(1, ['node', '/app/app.mjs', 'serve', '--port', port])).toBe(0);
    expect(await health(1, ['/sbin/docker-init', '--', 'node', '/app/app.mjs', 'serve', `--port=${port}`])).toBe(0);
    if (isRoot && process.platform === 'linux')
      expect(readFileSync(`/proc/${container.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    container.kill('SIGTERM');
    expect(await ended(container)).toBe(0);
    expect(await health(port)).toBe(1);
  });

  it.runIf(canCertify)(proves('containerize.steps', 'serve HTTPS, with a certificate in variables'), async () => {
    const { cert, key } = createCertificate();
    const tls = { EVERYWIRE_TLS_CERT: readFileSync(cert, 'utf8'), EVERYWIRE_TLS_KEY: readFileSync(key, 'utf8') };
    const container = start(image.command, { EVERYWIRE_PORT: '0', ...tls });
    const port = await portOf(container);
    expect(await health(port, undefined, tls)).toBe(0);
    expect(await health(port, ['node', '/app/app.mjs', 'serve', '--tls-cert', 'cert.pem'])).toBe(0);
    container.kill('SIGTERM');
    expect(await ended(container)).toBe(0);
    // HTTPS is really what it asks for.
    await using plain = await answering(200);
    expect(await health(portIn(plain), undefined, tls)).toBe(1);
  });

  it(proves('containerize.steps', 'find a server that fails unhealthy'), async () => {
    await using failing = await answering(503);
    expect(await health(portIn(failing))).toBe(1);
  });

  it.each(['mcp', 'cgi', 'add'])(
    proves('containerize.steps', 'find a container healthy that runs %s, and listens nowhere'),
    async (word) => expect(await health(1, ['node', '/app/app.mjs', word])).toBe(0),
  );

  const GET = { GATEWAY_INTERFACE: 'CGI/1.1', SERVER_PROTOCOL: 'HTTP/1.1', REQUEST_METHOD: 'GET' };
  it.each([
    ['mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n', {}, /^\{.*"functions\.Add".*"id":1\}\n$/],
    ['cgi', '', { ...GET, PATH_INFO: '/healthz', SERVER_NAME: 'localhost', SERVER_PORT: '80' }, /^Status: 200 /i],
    ['add --x 1 --y 2', '', {}, /^\{"result":3\}$/],
  ])(proves('containerize.steps', 'make an app that runs: %s'), async (line, input, env, output) => {
    const container = start(line.split(' '), env);
    container.stdin.end(input);
    expect(await text(container.stdout)).toMatch(output);
    expect(await ended(container)).toBe(0);
  });
});

describe('what they make, as the first process of a container made by hand', () => {
  beforeEach(({ skip }) => skip(!canContain, 'needs root, and leave to unshare'));

  it(proves('containerize.steps', 'serves from a read-only root, is healthy, and stops on SIGTERM'), async () => {
    const { child, firstProcess, beside } = contain(image, image.command, { EVERYWIRE_PORT: '0' });
    started.push(child);
    const port = await portOf(child);
    expect(beside(['touch', '/app/x'])).toBe(1);
    expect(beside(image.healthCheck, { EVERYWIRE_PORT: port })).toBe(0);
    expect(beside(image.healthCheck, { EVERYWIRE_PORT: '1' })).toBe(1);
    expect(readFileSync(`/proc/${firstProcess()}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m);
    process.kill(firstProcess(), 'SIGTERM');
    expect(await ended(child)).toBe(0);
  });

  it(proves('containerize.steps', 'speaks MCP, is healthy without a port, and ends with its input'), async () => {
    const { child, beside } = contain(image, ['mcp']);
    started.push(child);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await once(child.stdout, 'data');
    expect(beside(image.healthCheck)).toBe(0);
    child.stdin.end();
    expect(await ended(child)).toBe(0);
  });
});
