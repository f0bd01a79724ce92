import { exec } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';

const parity = (...args: readonly string[]) => run(['dist/bin/everywire.js', 'parity', ...args]);

/** In the repository, where everywire is found. */
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(resolve('.'), '.cache-parity-'))));
afterAll(() => rm(folder, { recursive: true }));

async function moduleWith(hints: string, code = '1', before = '', type = 'integer', options = ''): Promise<string> {
  const file = join(folder, `app${hints.length}-${code.length}-${before.length}-${options.length}.mjs`);
  const source = `${before}
import { createApp, defineFunction } from 'everywire';
export default createApp({ name: 'Small', version: '1', functions: [
  defineFunction({ name: 'One', description: 'One', output: { type: '${type}', description: 'One' }, hints: {${hints}}, run: (_, { principal }) => ${code} }),
], ${options} });`;
  await writeFile(file, source);
  return file;
}

describe.concurrent('everywire parity', () => {
  it(proves('proof.parity', 'exits with 0 when every wire answers alike, and says what was done'), async () => {
    // Few calls, all with objects: other arguments are tested with generated functions.
    const { stdout, code } = await parity('examples/calculator/app.ts', '--calls', '40', '--seed', '68', '--json');
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(report).toMatchObject({
      app: 'Calculator v1.0.0',
      seed: 68,
      functions: ['Add', 'Divide', 'DivMod'],
      skipped: ['Reset', 'Statistics'],
      calls: 40,
      differences: [],
      unsteady: [],
    });
    expect(report['wires']).toHaveLength(8);
    expect(code).toBe(0);
  });

  it(proves('proof.parity', 'exits with 1 and lists what differs, each with the smallest call'), async () => {
    const { stdout, code } = await parity('test/apps/uneven.ts', '--calls', '20', '--seed', '1');
    expect(code).toBe(1);
    expect(stdout).toContain(`another body on MCP 2025-11-25 over HTTP:
  everywire call test/apps/uneven.ts Wire --input '{}' --json
  in process: {"result":"other"}
  there:      {"result":"mcp"}`);
    expect(stdout).toContain('another body on MCP 2026-07-28 on stdio:');
    expect(stdout).not.toContain('another body on CGI');
    expect(stdout).toContain('not compared, since each call is answered differently: Count');
    expect(stdout).toContain('not called, since not annotated as read-only or idempotent: Delete');
    expect(stdout).toMatch(/\d differences \(repeat with --seed 1\)\n$/);
  });

  it(proves('proof.parity', 'takes no character of an answer for the end of a line'), async () => {
    const file = await moduleWith('readOnly: true', "'a\\u2028b\\u2029c\\u0085d'", '', 'string');
    expect(await parity(file, '--calls', '3', '--seed', '6')).toMatchObject({ code: 0 });
  });

  it(proves('proof.parity', 'calls nothing that may have effects without --all'), async () => {
    const module = await moduleWith('');
    const { stderr, code } = await parity(module);
    expect(stderr).toContain('no function of Small is annotated as read-only or idempotent, so none is called.');
    expect(stderr).toContain('--all');
    expect(code).toBe(2);
    expect(await parity(module, '--all', '--calls', '3', '--seed', '6')).toMatchObject({ code: 0 });
  });

  it(proves('proof.parity', 'prints its report alone on stdout, whatever the app and its children print'), async () => {
    const before = `import { execSync } from 'node:child_process'; import { writeSync } from 'node:fs';
      writeSync(1, 'noise'); execSync('echo noise', { stdio: 'inherit' });`;
    const module = await moduleWith('readOnly: true', "(writeSync(1, 'noise'), 1)", before);
    const out = join(folder, 'report.json');
    const shell = `"${process.execPath}" dist/bin/everywire.js parity "${module}" --calls 3 --json > "${out}"`;
    await promisify(exec)(shell);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ calls: 3, differences: [] });
  });

  it.each<[title: string, local: string, env: Record<string, string>, code: number, said: string]>([
    ['none', '', {}, 2, 'no call succeeded, and calls of One were refused'],
    ['one that counts on some wires only', "local: { id: 'you' }", {}, 1, 'calls of One were refused'],
    ['a wrong one', '', { EVERYWIRE_TOKEN: 'other' }, 2, 'refused.\nThe given credential'],
    ['a token', "local: { id: 'you' }", { EVERYWIRE_TOKEN: 'key' }, 0, ''],
    ['a file', '', { EVERYWIRE_TOKEN_FILE: 'key' }, 0, ''],
  ])(proves('proof.parity', 'has the same credential on every wire: %s'), async (_title, local, env, code, said) => {
    const authenticator = `custom('one', ({ bearer }) => (bearer === 'key' ? { id: 'me' } : undefined))`;
    const access = `access: { authenticators: [${authenticator}], ${local} }`;
    const before = "import { custom } from 'everywire/access';";
    const module = await moduleWith('readOnly: true', 'principal.id', before, 'string', access);
    await writeFile(join(folder, 'key'), 'key\n');
    const args = [resolve('dist/bin/everywire.js'), 'parity', module, '--calls', '10', '--seed', '6'];
    const ran = await run(args, undefined, env, folder);
    expect([ran.code, ran.stderr]).toEqual([code, said && expect.stringContaining(said)]);
  });

  it(proves('proof.parity', 'does not take a function that ends the process for one that is alike'), async () => {
    const module = await moduleWith('readOnly: true', 'process.exit(0)');
    const { stdout, stderr, code } = await parity(module, '--calls', '3');
    expect(stderr).toContain('error: a function ended the process (exit code 0); the calls were not compared\n');
    expect([stdout, code]).toEqual(['', 1]);
  });

  it.each([
    ['await new Promise(() => {});', 'never finished loading'],
    ['process.exit(0);', 'ended the process while loading (exit code 0)'],
    ["setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});", 'cannot be loaded: late'],
  ])(proves('proof.parity', 'says why a module with %j cannot be loaded'), async (before, message) => {
    const { stdout, stderr, code } = await parity(await moduleWith('', '1', before));
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).not.toBe(0);
  });

  it.each([
    [['no-such-file.ts'], 'No such module: no-such-file.ts'],
    [['examples/calculator/app.ts', '--calls', 'many'], 'expected a whole number'],
    [['examples/calculator/app.ts', '--calls', '0'], 'expected a whole number of at least 1'],
    [['examples/calculator/app.ts', '--sed', '1'], 'Did you mean --seed?'],
    [[], "missing required argument 'module'"],
  ])(proves('proof.parity', 'exits with 2 for %j'), async (args, message) => {
    expect(await parity(...args)).toEqual({ stdout: '', stderr: expect.stringContaining(message), code: 2 });
  });
});
