import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';
import { printed } from './project.ts';

// npm itself installs the package in surface/runtimes.full.test.ts.
it(proves('plain.newcomer', 'from an empty folder to an answer: install, serve, curl'), async () => {
  const folder = temporaryFolder('newcomer');
  const example = /^```ts\n\/\/ math\.ts\n([^]*?)^```/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  expect(example).toBe(readFileSync('examples/plain/math.ts', 'utf8'));
  writeFileSync(join(folder, 'math.ts'), example);
  await unpackInto(folder, 'typescript');
  // Started as npx would, whose process would have to be ended as well.
  const server = spawn(join(folder, 'node_modules/.bin/everywire'), ['serve', 'math.ts', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
  });
  try {
    const [url] = await printed(server.stderr, /http:\/\/[\w.]+:\d+/);
    const curl = spawn('curl', ['-s', '--json', '{"x": 10, "y": 20}', `${url}/functions/Add`]);
    expect((await printed(curl.stdout, /.+/))[0]).toBe('{"result":30}');
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
});
