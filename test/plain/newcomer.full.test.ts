import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const exec = promisify(execFile);

it(
  proves('plain.newcomer', 'from an empty folder to an answer: install, serve, curl'),
  async ({ skip }) => {
    const folder = temporaryFolder('newcomer');
    const shelf = temporaryFolder('shelf');
    await exec('npm', ['pack', '--ignore-scripts', '--pack-destination', shelf]);
    const tarball = join(shelf, readdirSync(shelf)[0]!);
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const example = /^```ts\n\/\/ math\.ts\n([^]*?)^```/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    expect(example).toBe(readFileSync('examples/plain/math.ts', 'utf8'));

    const began = performance.now();
    writeFileSync(join(folder, 'math.ts'), example);
    const packages = [tarball, `typescript@${devDependencies['typescript']}`];
    const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    try {
      await exec('npm', ['install', ...options, ...packages], { cwd: folder });
    } catch (error) {
      if (process.env['CI'] === 'true') throw error;
      console.warn(`NOT TESTED: the package could not be installed: ${(error as Error).message}`);
      skip();
    }
    const installed = performance.now();
    // Started as npx would, whose process would have to be ended as well.
    const child = spawn(join(folder, 'node_modules/.bin/everywire'), ['serve', 'math.ts', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
    });
    try {
      let url = '';
      for await (const line of createInterface(child.stderr)) {
        url = /http:\/\/[\w.]+:\d+/.exec(line)?.[0] ?? '';
        if (url !== '') break;
      }
      const { stdout } = await exec('curl', ['-s', '--json', '{"x": 10, "y": 20}', `${url}/functions/Add`]);
      expect(stdout).toBe('{"result":30}');
      const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
      const now = performance.now();
      console.log(
        `From an empty folder to an answer: ${seconds(began, now)}, of which npm took ${seconds(began, installed)}`,
      );
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  },
  300_000,
);
