import { execFile, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { canCertify, createCertificate, type Certificate } from '../kit/certificates.ts';
import { asJson } from '../kit/as-json.ts';
import { shared } from '../kit/broker.ts';
import type { Ran } from '../kit/command.ts';
import { untilServing } from '../kit/served.ts';
import { INITIALIZE, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { expectTooOld, saveReadme } from './installed.ts';

// The calculator on each wire, under every runtime that the command runs on. `npm run test:matrix` runs all tests on every
// version of Node.

const RUNTIMES = { 'node@22': [], 'node@24': [], 'node@26': [], 'bun@1': [], 'deno@2': ['run', '-A'] } as const;
const COMMAND = 'dist/bin/everywire.js';
const APP = 'examples/calculator/app.ts';

const PRINTING = `
import { createApp, defineFunction } from 'everywire';
console.log('printed while loading');
const print = defineFunction({
  name: 'Print',
  description: 'Prints',
  output: { type: 'string' as const, description: 'Done' },
  run: () => {
    console.log('printed by console');
    console.table([{ printed: 1 }]);
    process.stdout.write('printed by stdout\\n');
    return 'done';
  },
});
export default createApp({ name: 'Printing', version: '1.0.0', functions: [print] });
`;

const exec = promisify(execFile);
let paths: Record<string, string>;
let certificate: Certificate;
beforeAll(async () => {
  if (canCertify) certificate = createCertificate();
  const { stdout } = await exec('node', ['scripts/runtimes.mjs', ...Object.keys(RUNTIMES)]);
  paths = JSON.parse(stdout) as Record<string, string>;
}, 300_000);

describe.concurrent.each(Object.entries(RUNTIMES))('under %s', (name, flags) => {
  /** The runtime, or undefined where it may be missing. */
  function runtime(skip: (note: string) => void): string {
    const path = paths[name];
    if (path === undefined && process.env['CI'] !== 'true') skip(`scripts/runtimes.mjs could not install ${name}`);
    return path ?? `${name} could not be installed`;
  }

  /** Runs a line of bash, in which $EVERYWIRE is the command. */
  async function shell(path: string, line: string, env: Record<string, string> = {}): Promise<string> {
    const EVERYWIRE = [path, ...flags, COMMAND].join(' ');
    const { stdout } = await exec('bash', ['-c', line], { env: { ...process.env, EVERYWIRE, ...env } });
    return stdout;
  }

  const serve = (path: string, ...more: readonly string[]) =>
    spawn(path, [...flags, COMMAND, 'serve', APP, '--port', '0', ...more], { stdio: ['ignore', 'ignore', 'pipe'] });

  it.skipIf(name.startsWith('node'))(proves('workers.option', 'is refused: it needs Node.js'), async ({ skip }) => {
    const refused = await shell(runtime(skip), `$EVERYWIRE serve ${APP} --workers 2 2>&1 || echo $?`);
    expect(refused).toMatch(/^error: --workers needs Node\.js; Bun and Deno cannot hand over connections\n[^]*2\n$/);
  });

  it(proves('runtimes', 'the command line'), async ({ skip }) => {
    expect(await shell(runtime(skip), `$EVERYWIRE call ${APP} Add --x 1 --y 2 2> /dev/null | cat`)).toBe(
      '{"result":3}',
    );
  });

  it(proves('runtimes', 'CGI'), async ({ skip }) => {
    const env = { REQUEST_METHOD: 'POST', PATH_INFO: '/Add' };
    const line = `echo '{"x":1,"y":2}' | $EVERYWIRE cgi ${APP} 2> /dev/null | cat`;
    expect(await shell(runtime(skip), line, env)).toMatch(/^Status: 200 OK\r\n[^]*\r\n\r\n\{"result":3\}$/);
  });

  it(proves('runtimes', 'HTTP'), async ({ skip }) => {
    const child = serve(runtime(skip));
    try {
      const { url } = await untilServing(child);
      const response = await fetch(`${url}/functions/Add`, asJson({ x: 1, y: 2 }));
      expect(await response.text()).toBe('{"result":3}');
    } finally {
      child.kill('SIGKILL');
    }
  });

  it(proves('mcp.stdio', 'what an app prints does not reach the messages'), async ({ skip }) => {
    const folder = temporaryFolder('printing');
    const file = join(folder, 'app.ts');
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(file, PRINTING);
    const errors: Error[] = [];
    const client = Object.assign(new Client({ name: 'test', version: '1' }), {
      onerror: (error: Error) => void errors.push(error),
    });
    const args = [...flags, COMMAND, 'mcp', file];
    const transport = new StdioClientTransport({ command: runtime(skip), args, stderr: 'pipe' });
    let printed = '';
    transport.stderr?.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
    await client.connect(transport);
    const result = await client.callTool({ name: 'functions.Print' });
    expect(result).toMatchObject({ content: [{ text: '{"result":"done"}' }] });
    await client.close();
    expect(errors).toEqual([]);
    expect(printed).toMatch(/while loading[^]*by console[^]*by stdout/);
  });

  it.runIf(canCertify)(
    proves('http.tls', 'HTTPS, HTTP/2 except under Bun, and SIGHUP'),
    async ({ skip, expect: expectHere }) => {
      const child = serve(runtime(skip), '--tls-cert', certificate.cert, '--tls-key', certificate.key);
      try {
        const { url, log } = await untilServing(child);
        const call = () =>
          shell(
            '',
            `curl -s --cacert ${certificate.cert} -w ' %{http_version}' --json '{"x":1,"y":2}' ${url}/functions/Add`,
          );
        const version = name.startsWith('bun') ? '1.1' : '2';
        expect(await call()).toBe(`{"result":3} ${version}`);
        child.kill('SIGHUP');
        const said = name.startsWith('bun') ? 'Bun cannot replace a certificate' : 'the certificate was read again';
        await expectHere.poll(log, { timeout: 30_000 }).toContain(said);
        expect(await call()).toBe(`{"result":3} ${version}`);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );

  it(proves('runtimes', 'MCP on stdio, and what is asked right before the end'), async ({ skip }) => {
    const path = runtime(skip);
    const call = { jsonrpc: '2.0', id: 2, ...tool('Add', { x: 1, y: 2 }) };
    const lines = [INITIALIZE, call].map((one) => JSON.stringify(one)).join('\n');
    const answers = await shell(path, `printf '%s\\n' '${lines}' | $EVERYWIRE mcp ${APP} 2> /dev/null | cat`);
    expect(answers.match(/(?<="id":)\d/g)).toEqual(['0', '2']);
    expect(answers).toContain('"structuredContent":{"result":3}');
  });
});

// `npm run test:matrix`, of one short test: what it says, and how it ends.

const figures = temporaryFolder('figures');

function matrix(...part: readonly string[]): Promise<{ code: number; lines: string[] }> {
  const env = { ...process.env, EVERYWIRE_FIGURES: figures };
  return new Promise((ended) => {
    const child = execFile('node', ['scripts/test-matrix.mjs', ...part], { env }, (_error, _stdout, stderr) =>
      ended({ code: child.exitCode!, lines: stderr.trim().split('\n').slice(-4) }),
    );
  });
}

describe('the matrix', () => {
  let isInstalled: boolean;
  beforeAll(async () => {
    const versions = ['node@20', 'node@22', 'node@24', 'node@26'];
    const { stdout } = await exec('node', ['scripts/runtimes.mjs', ...versions]);
    const installed = JSON.parse(stdout) as object;
    isInstalled = Object.keys(installed).length === versions.length || process.env['CI'] === 'true';
  }, 300_000);

  it('ends with the counts of each version, and reports them', async ({ skip }) => {
    if (!isInstalled) skip('scripts/runtimes.mjs could not install every version of Node');
    const { code, lines } = await matrix('test/unit/each-line.test.ts');
    expect(lines).toEqual(
      [20, 22, 24, 26].map((major) => expect.stringMatching(`^Node.js ${major}[\\d.]+: \\d+ passed, 0 failed$`)),
    );
    expect(code).toBe(0);
    const written = JSON.parse(readFileSync(join(figures, 'matrix.json'), 'utf8')) as { figures: object };
    expect(Object.entries(written.figures).map((entry) => entry.join(': '))).toEqual(lines);
  });

  it('fails where a version fails', async ({ skip }) => {
    if (!isInstalled) skip('scripts/runtimes.mjs could not install every version of Node');
    const { code, lines } = await matrix('node@20', 'node@26', 'test/no/such.test.ts');
    expect(lines.slice(-2)).toEqual(
      [20, 26].map((major) => expect.stringMatching(`^Node.js ${major}[\\d.]+: FAILED, `)),
    );
    expect(code).toBe(1);
  });
});

// What package.test.ts shows with the unpacked package, with the real npm, npx and old versions of Node.

it(
  proves('package.installed', 'the first function of the README is called and compiled, with npx'),
  async () => {
    const { folder: installed } = await shared('installed');
    const folder = temporaryFolder('readme');
    await exec('cp', ['-R', `${installed}/.`, folder]);
    saveReadme(folder);
    const type = async (line: string) => {
      const { stdout } = await exec('bash', ['-c', line], { cwd: folder }).catch((error: { stdout: string }) => error);
      return stdout.trimEnd();
    };
    expect(await type('npx --no everywire call greeter.ts Greet --name Ada --loudly')).toBe('{"result":"HELLO, ADA!"}');
    expect(
      await type('REQUEST_METHOD=POST PATH_INFO=/Greet npx --no everywire cgi greeter.ts <<< \'{"name":"Ada"}\''),
    ).toMatch(/^Status: 200 OK\r\n[^]*\{"result":"Hello, Ada!"\}$/);
    expect(await type('npx --no everywire openapi greeter.ts | grep operationId')).toContain('"functions.Greet"');
    const tsc = join(folder, 'node_modules/.bin/tsc');
    const flags =
      '--ignoreConfig --noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions --types node';
    expect(await type(`${tsc} ${flags} --typeRoots ${resolve('node_modules/@types')} greeter.ts caller.ts`)).toBe('');
  },
  300_000,
);

describe('an old Node.js', () => {
  const OLD = { 'node@18': '18.', 'node@16': '16.' };
  let old: Record<string, string>;
  beforeAll(async () => {
    const { stdout } = await exec('node', ['scripts/runtimes.mjs', ...Object.keys(OLD)]);
    old = JSON.parse(stdout) as Record<string, string>;
  }, 300_000);

  it.for(Object.entries(OLD))(
    proves('package.old-node', '%s: the command and every entry say which version is needed'),
    async ([name, version], { skip }) => {
      const node = old[name] ?? name;
      if (node === name && process.env['CI'] !== 'true') skip('scripts/runtimes.mjs could not install it');
      const run = (...args: readonly string[]) =>
        exec(node, args).then(
          (ran) => ({ ...ran, code: 0 }),
          (error: Ran) => error,
        );
      await expectTooOld(run, `${version}[\\d.]+`);
    },
  );
});
