import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedBy } from '../build/loaded.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { MATH, project } from './project.ts';

describe(proves('plain.built', 'a built plain module'), () => {
  it.each(['mjs', 'cjs'])('needs nothing but Node, as .%s', async (extension) => {
    const math = project({ 'math.ts': MATH, 'package.json': '{ "name": "sums", "version": "2.0.0" }' });
    const { stdout } = await math.everywire('build', 'math.ts', '--out', `math.${extension}`);
    expect(stdout).toMatch(/^math v2\.0\.0 is in math\.\w+ \(\d+ KiB\)\n$/);
    const alone = temporaryFolder('alone');
    const file = join(alone, `math.${extension}`);
    cpSync(join(math.folder, `math.${extension}`), file);
    const call = (env: Record<string, string>) => run([file, 'add', '--x', '1', '--y', '2'], undefined, env, alone);
    expect((await call({})).stdout).toBe('{"result":3}');
    expect((await run([file, '--version'], undefined, {}, alone)).stdout).toContain('math v2.0.0');
    const foreign = (await loadedBy(call)).filter((url) => url.startsWith('file:') && !url.includes(alone));
    expect(foreign).toEqual([]);
  });

  it('may await while it loads, have several files, and explains what it leaves out', async () => {
    const whole = project({
      'functions/add.ts': `${MATH}\nawait Promise.resolve();`,
      'functions/more.ts': `/** Two\n * @returns Two */\nexport function Two(): number { return 2 }\nexport function No(f: () => void): void {}`,
    });
    const { stderr, code } = await whole.everywire('build', 'functions', '--out', 'whole.mjs');
    expect(stderr).toContain('No: ');
    expect(code).toBe(0);
    expect((await run(['whole.mjs', 'two'], undefined, {}, whole.folder)).stdout).toBe('{"result":2}');
    expect((await run(['whole.mjs', 'add', '--x', '1', '--y', '2'], undefined, {}, whole.folder)).stdout).toBe(
      '{"result":3}',
    );
  });

  it('stands in for its source until a type changes that is in no code', async () => {
    const one = project({
      'note.ts': `import type { Note } from './types.ts';\n/** A note\n * @param note It\n * @returns It */\nexport function Write(note: Note): Note { return note }`,
      'types.ts': 'export interface Note { text: string }',
    });
    await one.everywire('build', 'note.ts');
    const go = (env: Record<string, string>) =>
      one.with(env, 'call', 'note.ts', 'Write', '--input', '{"note":{"text":"a"}}');
    expect((await loadedBy(go)).some((url) => url.includes('note.built.mjs'))).toBe(true);
    one.write('types.ts', 'export interface Note { text: string; by: string }');
    expect((await go({})).stdout).toContain('/note/by: required');
  });
});

describe(proves('plain.mixed', 'an app with plain functions'), () => {
  const app = (module: string) => `import { createApp, defineFunction } from 'everywire';
import { fromModule } from 'everywire/node';
const own = defineFunction({ name: 'Own', description: 'Own', output: { type: 'integer', description: 'One' }, run: () => 1 });
const loud = async (call: unknown, next: () => Promise<any>) => { const outcome = await next(); return outcome.ok ? { ...outcome, data: outcome.data + 100 } : outcome; };
export default createApp({
  name: 'Mixed',
  version: '1.0.0',
  functions: [own, ...(await fromModule(${module}))],
  middleware: [loud],
  access: { authenticators: [], scopes: ['all'], local: { id: 'me', scopes: ['all', 'sums'] } },
});`;
  const files = {
    'src/app.ts': app(`'./functions/math.ts'`),
    'src/functions/math.ts': MATH.replace(' */', ' * @scope sums\n */'),
    'src/url.ts': app(`new URL('./functions/math.ts', import.meta.url)`),
  };

  it('has them by a path from its own file, or by a URL, with access rules and middleware', async () => {
    const mixed = project(files);
    for (const module of ['src/app.ts', 'src/url.ts']) {
      expect((await mixed.everywire('call', module, 'Own')).stdout).toBe('{"result":101}');
      expect((await mixed.everywire('call', module, 'Add', '--x', '1', '--y', '2')).stdout).toBe('{"result":103}');
    }
    const { functions } = JSON.parse((await mixed.everywire('schema', 'src/app.ts', '--json')).stdout) as {
      functions: { name: string; scopes?: string[] }[];
    };
    expect(functions.map(({ name, scopes }) => [name, scopes])).toEqual([
      ['Own', undefined],
      ['Add', ['sums']],
    ]);
  });

  it.each(['app', 'url'])('is built with them, by a %s', async (name) => {
    const mixed = project(files);
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
    const { stdout, stderr } = await mixed.everywire('schema', 'app.ts');
    expect(stdout).toBe('A: A\n');
    expect(stderr).toMatch(/EverywireWarning: one function is not served\nf\.ts:2:19: B: /);
  });
});

describe(proves('plain.schema', 'everywire schema'), () => {
  it('prints a table, JSON, or one function', async () => {
    const math = project({ 'math.ts': `${MATH}\nexport function No(f: () => void): void {}` });
    const table = await math.everywire('schema', 'math.ts');
    expect(table.stdout).toBe(`Add: Adds two integers together
  x        integer  First integer to add
  y        integer  Second integer to add
  returns  integer  Sum of x and y
`);
    expect(table.stderr).toContain('No: ');
    const json = JSON.parse((await math.everywire('schema', 'math.ts', '--json')).stdout) as object;
    expect(json).toMatchObject({
      name: 'math',
      functions: [{ name: 'Add', input: { required: ['x', 'y'] }, output: { type: 'integer' } }],
      refusals: [{ name: 'No', file: 'math.ts', line: 13, column: 20 }],
    });
    expect((await math.everywire('schema', 'math.ts', 'add')).stdout).toBe(table.stdout);
    expect((await math.everywire('schema', 'math.ts', 'Ad')).stderr).toContain(
      'error: No function Ad; did you mean Add?',
    );
  });
});
