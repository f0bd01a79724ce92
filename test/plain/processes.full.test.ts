import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { untilServing } from '../kit/served.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { EVERYWIRE, MATH, MIXED, project } from './project.ts';

describe(proves('plain.served', 'a plain module'), () => {
  const math = project({ 'math.ts': MATH, 'package.json': '{ "type": "module" }' });

  it('is served over HTTP by several processes', async () => {
    const args = [EVERYWIRE, 'serve', 'math.ts', '--port', '0', '--workers', '2'];
    const child = spawn(process.execPath, args, { cwd: math.folder });
    try {
      const { url } = await untilServing(child);
      const response = await fetch(`${url}/functions/Add`, asJson({ x: 20, y: 22 }));
      expect(await response.text()).toBe('{"result":42}');
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  });
});

it(
  proves('plain.built', 'a built module may await while it loads, have several files, and explains what it leaves out'),
  async () => {
    const whole = project({
      'functions/add.ts': `${MATH}\nawait Promise.resolve();`,
      'functions/more.ts': `/** Two\n * @returns Two */\nexport function Two(): number { return 2 }\nexport function No(f: () => void): void {}`,
    });
    const { stderr, code } = await whole.with({}, 'build', 'functions', '--out', 'whole.mjs');
    expect(stderr).toContain('No: ');
    expect(code).toBe(0);
    expect((await run(['whole.mjs', 'two'], undefined, {}, whole.folder)).stdout).toBe('{"result":2}');
    expect((await run(['whole.mjs', 'add', '--x', '1', '--y', '2'], undefined, {}, whole.folder)).stdout).toBe(
      '{"result":3}',
    );
  },
);

describe(proves('plain.mixed', 'an app with plain functions'), () => {
  it.each(['app', 'url'])('is built with them, by a %s', async (name) => {
    const mixed = project(MIXED);
    expect((await mixed.everywire('build', `src/${name}.ts`, '--out', 'mixed.mjs')).code).toBe(0);
    const alone = temporaryFolder('alone');
    mkdirSync(join(alone, 'a'));
    cpSync(join(mixed.folder, 'mixed.mjs'), join(alone, 'a/mixed.mjs'));
    const { stdout, stderr } = await run(['a/mixed.mjs', 'add', '--x', '1', '--y', '2'], undefined, {}, alone);
    expect([stdout, stderr]).toEqual(['{"result":103}', '']);
  });

  it('cannot be built with two modules of one name', async () => {
    const mixed = project({
      'app.ts': `import { createApp } from 'everywire';\nimport { fromModule } from 'everywire/node';
export default createApp({ name: 'A', version: '1', functions: [...(await fromModule('./a/f.ts')), ...(await fromModule('./b/f.ts'))] });`,
      'a/f.ts': '/** A */ export function A(): void {}',
      'b/f.ts': '/** B */ export function B(): void {}',
    });
    expect((await mixed.everywire('build', 'app.ts')).stderr).toContain(
      'the app reads two modules of the name f.ts, and a build cannot tell them apart; rename one',
    );
  });

  it('warns of what cannot be served', async () => {
    const mixed = project({
      'app.ts': `import { createApp } from 'everywire';\nimport { fromModule } from 'everywire/node';
export default createApp({ name: 'A', version: '1', functions: await fromModule('./f.ts') });`,
      'f.ts': '/** A */ export function A(): void {}\nexport function B(f: () => void): void {}',
    });
    const { stdout, stderr } = await mixed.with({}, 'schema', 'app.ts');
    expect(stdout).toBe('A: A\n');
    expect(stderr).toMatch(/EverywireWarning: one function is not served\nf\.ts:2:19: B: /);
  });
});
