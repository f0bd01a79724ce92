import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../kit/broker.ts';
import type { Ran } from '../kit/command.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { expectTooOld, saveReadme } from './installed.ts';

// What package.test.ts shows with the unpacked package, with the real npm, npx and old versions of Node.

const exec = promisify(execFile);

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
  let paths: Record<string, string>;
  beforeAll(async () => {
    const { stdout } = await exec('node', ['scripts/runtimes.mjs', ...Object.keys(OLD)]);
    paths = JSON.parse(stdout) as Record<string, string>;
  }, 300_000);

  it.for(Object.entries(OLD))(
    proves('package.old-node', '%s: the command and every entry say which version is needed'),
    async ([name, version], { skip }) => {
      const node = paths[name] ?? name;
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
