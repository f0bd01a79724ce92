import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { shared } from '../kit/broker.ts';
import { untilServing } from '../kit/served.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { jsonIn } from './create.ts';

// Both packages as npm would publish them, installed in an empty folder; and the project that they create, installed.

const exec = promisify(execFile);

let folder: string;
/** With a space and a letter that is not ASCII. */
let project: string;
/** By create-everywire. */
let printed = '';
const started: ChildProcess[] = [];

beforeAll(async () => {
  folder = temporaryFolder('created');
  project = join(folder, 'my süms');
  const { everywire, create } = await shared('packed');
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', everywire, create);
  const flags = ['--install', '--mcp', 'claude-code', '--everywire', everywire];
  ({ stdout: printed } = await npm(folder, 'exec', '--no', '--', 'create-everywire', 'my süms', ...flags));
}, 300_000);

afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'close');
  }
});

function npm(cwd: string, ...args: readonly string[]) {
  // jiti keeps compiled code in a folder that all projects of a user share.
  return exec('npm', args, { cwd, env: { ...process.env, npm_config_prefer_offline: 'true', JITI_FS_CACHE: 'false' } });
}

/** Types a command that serves, and waits for the line that says where. */
async function serving(command: string, cwd: string): Promise<string> {
  // A process group, so that the server ends with the shell and npm.
  const env = { ...process.env, EVERYWIRE_PORT: '0', JITI_FS_CACHE: 'false' };
  const child = spawn('bash', ['-c', command], { cwd, env, detached: true });
  started.push(child);
  child.stdout.resume();
  return (await untilServing(child)).url;
}

const post = async (url: string, body: object): Promise<unknown> => (await fetch(url, asJson(body))).json();

describe('a new project', () => {
  it(proves('init.project', 'a test that fails is noticed'), async () => {
    const file = join(project, 'test/my-sums.test.ts');
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.replace('30', '31'));
    await expect(npm(project, 'test')).rejects.toMatchObject({ code: 1 });
    writeFileSync(file, source);
  });

  it.for(['node_modules', resolve('test/node_modules/typescript-5.9'), resolve('test/node_modules/typescript-6.0')])(
    proves('init.project', 'has no type errors: %s'),
    async (home) => {
      const tsc = home === 'node_modules' ? join(home, 'typescript/bin/tsc') : join(home, 'bin/tsc');
      expect((await exec(process.execPath, [tsc], { cwd: project })).stdout).toBe('');
    },
  );

  it(proves('init.project', 'npm start serves its functions'), async () => {
    const url = await serving('npm start', project);
    expect(await post(`${url}/functions/Add`, { x: 10, y: 20 })).toEqual({ result: 30 });
    expect(await post(`${url}/functions/Greet`, { name: 'Ada', loudly: true })).toEqual({ result: 'HELLO, ADA!' });
    expect(await post(`${url}/functions/Add`, { x: 1.5, y: 20 })).toEqual({
      error: 'Invalid arguments: /x: expected integer, got 1.5',
    });
  });

  it(proves('init.create', 'what is printed can be typed: three commands, and a call that is answered'), async () => {
    const [, commands = '', call = ''] =
      /^Created my-sums in my süms:\n[^]*\nNext:\n((?: {2}.+\n){3})\nThen, in another terminal:\n(.+)\n$/m.exec(
        printed,
      )!;
    const { host } = new URL(await serving(commands.trim().split('\n').join(' && '), folder));
    const { stdout } = await exec('bash', ['-c', call.replace('localhost:8080', host)]);
    expect(stdout).toBe('{"result":30}');
  });

  it(proves('init.project', 'the configuration for an MCP client starts its server'), async () => {
    const entry = jsonIn(project, '.mcp.json').mcpServers['my-sums'];
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ ...entry, cwd: project, stderr: 'ignore' }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['functions_Add', 'functions_Greet']);
    const result = await client.callTool({ name: 'functions_Add', arguments: { x: 10, y: 20 } });
    expect(result.structuredContent).toEqual({ result: 30 });
    await client.close();
  });
});
