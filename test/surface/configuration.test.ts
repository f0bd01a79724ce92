import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtModule } from '../kit/built.ts';
import { appCommand, cgi, command } from '../kit/command.ts';
import { startServing } from '../kit/served.ts';
import { parseCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const APP = resolve('test/apps/settings.ts');
const CORS = 'test/apps/cors.ts';

interface Setup {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Record<string, string>;
}

/** Runs everywire in a folder with these files. */
function inFolder({ files, env }: Setup) {
  const cwd = folderOf(files);
  return (...args: readonly string[]) => command(args, { env, cwd });
}

/** As a process of its own, where what a file prints or breaks is seen, and which others start again. */
function asProcess({ files, env }: Setup, input = '') {
  const folder = folderOf(files);
  return (...args: readonly string[]) => run([EVERYWIRE, ...args], Buffer.from(input), env, folder);
}

function folderOf(files: Setup['files'] = {}): string {
  const folder = temporaryFolder('configuration', files);
  mkdirSync(join(folder, 'data'));
  return folder;
}

const variables = async (setup: Setup, ...flags: readonly string[]) => {
  const { stdout, stderr } = await inFolder(setup)('call', APP, 'Variables', ...flags);
  return stdout === '' ? stderr : ((JSON.parse(stdout) as { result?: object; error?: string }).result ?? stdout);
};

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Variables"}}\n';
const REQUEST = { REQUEST_METHOD: 'POST', PATH_INFO: '/Variables', GATEWAY_INTERFACE: 'CGI/1.1' };
const SECRETS = '# a comment\nTOKEN="two words"\nexport A=file\n';

describe.concurrent('variables for functions', () => {
  it(proves('cli.environment', '--env NAME takes the value of the environment'), async () => {
    expect(await variables({ env: { TOKEN: 'hush' } }, '--env', 'TOKEN')).toEqual({ TOKEN: 'hush' });
  });

  it(proves('cli.environment', '--env-file reads a file; of both options the later one wins'), async () => {
    const files = { '.env': SECRETS };
    expect(await variables({ files }, '--env-file', '.env')).toEqual({ TOKEN: 'two words', A: 'file' });
    expect(await variables({ files }, '--env-file', '.env', '--env', 'A=flag')).toMatchObject({ A: 'flag' });
    expect(await variables({ files }, '--env', 'A=flag', '--env-file', '.env')).toMatchObject({ A: 'file' });
    expect(await variables({}, '--env-file', '.env')).toContain('no such file: .env');
  });

  it.runIf(process.platform === 'linux')(proves('cli.environment', 'no value is in what other users see'), async () => {
    const child = spawn(process.execPath, [EVERYWIRE, 'mcp', APP, '--env', 'TOKEN'], {
      env: { ...process.env, TOKEN: 'hush-hush' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(CALL);
    const [answer] = (await once(child.stdout, 'data')) as [Buffer];
    const seen = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    child.stdin.end();
    await once(child, 'close');
    expect(answer.toString()).toContain('hush-hush');
    expect(seen).toContain('--env TOKEN');
    expect(seen).not.toContain('hush-hush');
  });

  it(proves('cli.environment', 'mcp-config hands on names and files, not values'), async () => {
    const everywire = inFolder({ files: { '.env': SECRETS }, env: { TOKEN: 'hush' } });
    const flags = ['--env', 'TOKEN', '--env', 'A=b', '--env-file', '.env', '--mount', './data:/t:ro'];
    const { stdout } = await everywire('mcp-config', APP, ...flags);
    expect(stdout).not.toMatch(/hush|two words/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /"--env", "TOKEN", "--env", "A=b", "--env-file", "\/[^"]*\/\.env", "--mount", "\/[^"]*\/data:\/t:ro"/,
    );
  });
});

const CONFIG = `import type { Config } from '${resolve('dist/node.js')}';
console.log('printed by the file');
export default {
  env: { A: 'config', B: 'config' },
  envFile: '.env',
  serve: { host: '203.0.113.7', quiet: true, compression: false },
  call: { env: { B: 'call' }, format: 'yaml' },
  openapi: { openapiVersion: '3.0', server: 'https://config.example' },
  mcp: { names: 'portable' },
} satisfies Config;
`;
const files = { 'everywire.config.ts': CONFIG, '.env': SECRETS };

describe.concurrent('the configuration file', () => {
  it(proves('cli.config', 'has defaults for each command, and variables for all'), async () => {
    const everywire = inFolder({ files });
    const call = await asProcess({ files })('call', APP, 'Variables');
    expect(call.stdout).toBe('A: config\nTOKEN: two words\nB: call\n');
    expect(call.stderr).toBe('printed by the file\n');
    expect((await everywire('serve', APP)).stderr).toContain('203.0.113.7 is not an address of this machine');
    const document = await everywire('openapi', APP);
    const servers = [{ url: 'https://config.example' }];
    expect(JSON.parse(document.stdout)).toMatchObject({ openapi: '3.0.3', servers });
  });

  it(proves('cli.config', 'is read by mcp, without a word of it on stdout'), async () => {
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
    const { stdout, stderr } = await asProcess({ files }, list)('mcp', APP);
    expect(JSON.parse(stdout)).toMatchObject({ result: { tools: [{ name: 'functions_Variables' }] } });
    expect(stderr).toContain('printed by the file');
  });

  it(proves('cli.serve-defaults', 'has the address, unless a variable or a flag has'), async () => {
    const everywire = inFolder({ files, env: { EVERYWIRE_HOST: '203.0.113.8' } });
    expect((await everywire('serve', APP)).stderr).toBe('error: 203.0.113.8 is not an address of this machine\n');
    expect((await everywire('serve', APP, '--host', '203.0.113.9')).stderr).toContain('203.0.113.9 is not');
  });

  it(proves('cli.variables', 'is overridden by variables, and these by flags'), async () => {
    const everywire = inFolder({ files, env: { EVERYWIRE_FORMAT: 'jsonl', EVERYWIRE_ENV: '["A=variable","C=1"]' } });
    const merged = await everywire('call', APP, 'Variables', '--env', 'C=2');
    expect(merged.stdout).toBe('{"A":"variable","TOKEN":"two words","B":"call","C":"2"}\n');
  });

  it.each<[Record<string, string>, readonly string[], string]>([
    [{ EVERYWIRE_JSON: 'true' }, ['--format', 'yaml'], 'A: "1"\n'],
    [{ EVERYWIRE_FORMAT: 'yaml' }, ['--json'], '{"result":{"A":"1"}}'],
    [{ EVERYWIRE_PROFILE: 'status' }, [], '{"status":"SUCCESS","data":{"A":"1"}}'],
  ])(proves('cli.variables', 'of options that exclude each other, the typed one: %j %j'), async (env, flags, body) => {
    const everywire = inFolder({ env: { ...env, EVERYWIRE_ENV: 'A=1' } });
    expect((await everywire('call', APP, 'Variables', ...flags)).stdout).toBe(body);
  });

  const fromOther = '{"result":{"A":"other"}}';
  it.each<[Record<string, string>, readonly string[], string]>([
    [{}, ['--config', 'other.json'], fromOther],
    [{ EVERYWIRE_CONFIG: 'other.json' }, [], fromOther],
    [{}, ['--no-config'], '{"result":{}}'],
    [{ EVERYWIRE_NO_CONFIG: 'true' }, [], '{"result":{}}'],
  ])(proves('cli.config', '--config names another, --no-config none: %j %j'), async (env, flags, body) => {
    const everywire = inFolder({ files: { ...files, 'other.json': '{"env": {"A": "other"}}' }, env });
    expect((await everywire('call', ...flags, APP, 'Variables', '--json')).stdout).toBe(body);
  });

  it(proves('cli.config', 'is handed on by mcp-config and read by parity'), async () => {
    const everywire = inFolder({ files });
    expect((await everywire('mcp-config', APP)).stdout).toMatch(/"--config",\s+"\/.*\/everywire\.config\.ts"/);
    const shared = { 'everywire.config.json': '{"env": {"A": "config"}, "parity": {"calls": 10}}' };
    const parity = await asProcess({ files: shared })('parity', APP);
    expect([parity.code, parity.stdout]).toEqual([0, expect.stringMatching(/10 calls of Variables[\s\S]*all alike/)]);
  });

  it.each([
    ['{"serve": {"prot": 1}}', 'unknown option "serve.prot" (did you mean "port"?)'],
    ['{"srve": {}}', 'unknown option "srve" (did you mean "serve"?)'],
    ['{"serve": {"port": "eighty"}}', "option '--port <number>' value 'eighty' from everywire.config.json is invalid."],
    ['{"serve": {"port": []}}', 'serve.port must be a string or a number'],
    ['{"serve": {"quiet": "yes"}}', 'serve.quiet must be true or false'],
    ['{"serve": 1}', 'serve must be an object'],
    ['{"call": {"jsn": true}}', 'unknown option "call.jsn" (did you mean "json"?)'],
    ['{"env": {"A": 1}}', 'env must be an object of strings'],
    ['{"mount": ["/no/such/folder:/x"]}', 'no such folder: /no/such/folder'],
    ['{"envFile": "nothing.env"}', 'no such file: nothing.env'],
    ['[]', 'must export an object, such as { serve: { port: 3000 } }'],
    [
      '{\n  "port" 1 }',
      'everywire.config.json is not JSON: unexpected "1" (everywire.config.json:2:10)\n  2 |   "port" 1 }\n    |          ^',
    ],
  ])(proves('cli.config', 'is refused with a reason: %s'), async (text, reason) => {
    const { stdout, stderr, code } = await inFolder({ files: { 'everywire.config.json': text } })('serve', APP);
    expect(stdout).toBe('');
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('    at ');
    expect(code).toBeGreaterThan(0);
  });

  it.each([
    ['export const x = 1;', 'everywire.config.mjs has no default export; add: export default { … }'],
    ['throw new Error("broken");', 'everywire.config.mjs cannot be loaded: broken'],
    ['await new Promise(() => {});', 'everywire.config.mjs never finished loading'],
    ['process.exit(3);', 'everywire.config.mjs ended the process while loading (exit code 3)'],
  ])(proves('cli.config', 'as a module that fails, is one sentence: %s'), async (text, reason) => {
    const { stdout, stderr, code } = await asProcess({ files: { 'everywire.config.mjs': text } })('openapi', APP);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining(reason)]);
    expect(code).toBeGreaterThan(0);
  });

  it(proves('cli.config', 'of the current folder is not read under CGI, nor by an app that is a command'), async () => {
    const unnamed = await inFolder({ files, env: REQUEST })('cgi', APP);
    expect(unnamed.stdout).toContain('\r\n\r\n{"result":{}}');
    expect(unnamed.stderr).toBe('');
    const named = await inFolder({ files, env: REQUEST })('cgi', APP, '--config', 'everywire.config.ts');
    expect(named.stdout).toContain('{"result":{"A":"config","TOKEN":"two words","B":"config"}}');
    const own = await appCommand(APP, ['variables'], { cwd: folderOf(files) });
    expect(own).toEqual({ stdout: '{"result":{}}', stderr: '', code: 0 });
  });
});

describe.concurrent('environment variables of options', () => {
  it(proves('cli.variables', 'are shown for every option of every command'), async () => {
    const commands = 'serve mcp cgi mcp-config call openapi schema build containerize parity audit init'.split(' ');
    const everywire = inFolder({});
    const helps = await Promise.all([
      ...commands.map((name) => everywire(name, '--help')),
      everywire('call', APP, 'Variables', '--help'),
    ]);
    const names = new Map<string, string>();
    for (const [i, { stdout }] of helps.entries()) {
      const options = stdout
        .replaceAll(/\s+/g, ' ')
        .split(/ (?=--[a-z-]+[ ])/)
        .filter((text) => /^--[a-z-]+ /.test(text));
      for (const option of options.filter((text) => !/^--(?:help|dockerfile-only or)/.test(text))) {
        const [, name] = /env: (EVERYWIRE_[A-Z_]+)\)/.exec(option) ?? [];
        if (name === undefined) continue;
        const flag = option.split(' ')[0]!;
        // The same variable never means two options.
        expect(names.get(name) ?? flag, name).toBe(flag);
        names.set(name, flag);
      }
      const shown = stdout.match(/^ {2}(?:-\w, )?--(?!help)[a-z-]+/gm) ?? [];
      expect(stdout.match(/env:\s+EVERYWIRE_/g) ?? [], commands[i]).toHaveLength(shown.length);
    }
    expect([...names.keys()]).toEqual(expect.arrayContaining(['EVERYWIRE_PORT', 'EVERYWIRE_PARITY_CALLS']));
  });

  it.each([
    [{ EVERYWIRE_PORT: 'eighty' }, "value 'eighty' from env 'EVERYWIRE_PORT' is invalid"],
    [{ EVERYWIRE_QUIET: 'perhaps' }, "EVERYWIRE_QUIET must be true or false, not 'perhaps'"],
    [{ EVERYWIRE_ALLOW_ORIGIN: '["https://a.example","nonsense"]' }, "value 'nonsense' from env"],
    [{ EVERYWIRE_PORT: '', EVERYWIRE_QUIET: '', EVERYWIRE_HOST: '203.0.113.1' }, '203.0.113.1 is not an address'],
  ])(proves('cli.variables', 'are checked, and count as unset if empty: %j'), async (env, message) => {
    const { stderr, code } = await inFolder({ env: env as Record<string, string> })('serve', APP);
    expect(stderr).toContain(message);
    expect(code).toBeGreaterThan(0);
  });

  it(proves('cli.variables', 'reach commands that start without options, and apps that are commands'), async () => {
    const env = { EVERYWIRE_ENV: 'A=1' };
    expect((await asProcess({ env }, CALL)('mcp', APP)).stdout).toContain('"structuredContent":{"result":{"A":"1"}}');
    const built = await builtModule('test/apps/settings.ts');
    expect((await run([built, 'variables'], undefined, env)).stdout).toBe('{"result":{"A":"1"}}');
    expect((await run([built], undefined, { ...env, ...REQUEST })).stdout).toContain('{"result":{"A":"1"}}');
  });
});

/** What a preflight request returns: status, origin, credentials, whether X-Tenant may be sent, and for how long. */
const preflight = { 'access-control-request-method': 'POST' };
const rulesIn = (status: number, get: (name: string) => string | null | undefined) => [
  status,
  get('access-control-allow-origin') ?? null,
  get('access-control-allow-credentials') ?? null,
  get('access-control-allow-headers')?.includes('x-tenant') ?? null,
  get('access-control-max-age') ?? null,
];
const kept = ['true', true, '60'];
const refused = [403, null, null, null, null];

async function overHttp(flags: readonly string[], origins: readonly string[]): Promise<unknown[]> {
  const { url, stop } = await startServing(CORS, ...flags);
  const ask = async (origin: string) => {
    const headers = { origin, ...preflight };
    const response = await fetch(`${url}/functions/Ping`, { method: 'OPTIONS', headers });
    return rulesIn(response.status, (name) => response.headers.get(name));
  };
  const asked = await Promise.all(origins.map(ask));
  await stop();
  return asked;
}

function overCgi(flags: readonly string[], origins: readonly string[]): Promise<unknown[]> {
  const ask = async (origin: string) => {
    const asked = { HTTP_ORIGIN: origin, HTTP_ACCESS_CONTROL_REQUEST_METHOD: 'POST' };
    const request = { REQUEST_METHOD: 'OPTIONS', PATH_INFO: '/functions/Ping', ...asked };
    const { stdout } = await cgi(CORS, request, '', ...flags);
    const { status, headers } = parseCgi(stdout);
    return rulesIn(status, (name) => headers[name]);
  };
  return Promise.all(origins.map(ask));
}

describe.each([
  ['serve', overHttp],
  ['cgi', overCgi],
] as const)('everywire %s', (name, ask) => {
  it(proves('http.cors', 'has the rules of the app'), async () => {
    expect(await ask([], ['https://app.example', 'https://other.example'])).toEqual([
      [204, 'https://app.example', ...kept],
      refused,
    ]);
  });

  it(proves('http.cors', '--allow-origin replaces the origins of the app, and keeps its other rules'), async () => {
    const flags = ['--allow-origin', 'https://other.example', '--allow-origin', 'http://localhost:5173'];
    expect(await ask(flags, ['https://other.example', 'http://localhost:5173', 'https://app.example'])).toEqual([
      [204, 'https://other.example', ...kept],
      [204, 'http://localhost:5173', ...kept],
      refused,
    ]);
  });

  it(proves('http.cors-mistakes', 'a wrong --allow-origin is named with the right spelling'), async () => {
    const { code, stderr } = await command([name, CORS, '--allow-origin', 'app.example']);
    expect(stderr).toContain('"app.example" is not an origin that browsers send; write "https://app.example"');
    expect(code).toBe(2);
  });
});

it(proves('http.cors-mistakes', '--allow-origin "*" does not fit an app with credentials'), async () => {
  const problem = 'cors.credentials needs a list of origins: with "*", any page could act as the user';
  const { code, stderr } = await command(['serve', CORS, '--port', '0', '--allow-origin', '*']);
  expect([code, stderr]).toEqual([1, `error: 1 problem in app "Cors":\n  - ${problem}\n`]);
  const request = { REQUEST_METHOD: 'GET', PATH_INFO: '/healthz' };
  const answered = await cgi(CORS, request, '', '--allow-origin', '*');
  expect([parseCgi(answered.stdout).status, answered.stderr]).toEqual([500, expect.stringContaining(problem)]);
});
