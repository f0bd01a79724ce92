import { readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedBy } from '../build/loaded.ts';
import { proves } from '../promises.ts';
import type { Project } from './project.ts';
import { MATH, project } from './project.ts';

const NOTE = `/** A note
 * @param note What it says
 * @returns The same */
export function Write(note: Note): Note { return note }`;

const files = {
  'notes.ts': `import type { Note } from './types.ts';\nenum Kind { A }\n${NOTE}`,
  'types.ts': 'export interface Note { text: string }',
  'package.json': '{ "type": "module" }',
};

const write = ({ everywire }: Project, note: string) => everywire('call', 'notes.ts', 'Write', '--input', note);
const answer = async (one: Project, note: string) => (await write(one, note)).stdout;

/** Of the project, of the module, of what runs it. */
const COMPILERS =
  /\/(?:typescript|typescript-[\w-]+|oxc-transform|es-module-lexer|jiti)\/(?!.*notes\.ts)|describe-module/;

describe(proves('plain.warm', 'a second start'), () => {
  it('loads neither the compiler nor a transpiler', async () => {
    const one = project(files);
    const go = (env: Record<string, string>) =>
      one.with(env, 'call', 'notes.ts', 'Write', '--input', '{"note":{"text":"a"}}');
    expect((await loadedBy(go)).filter((url) => COMPILERS.test(url)).length).toBeGreaterThan(1);
    expect((await loadedBy(go)).filter((url) => COMPILERS.test(url))).toEqual([]);
  });

  it('does without them even if they are gone', async () => {
    const one = project(files);
    await answer(one, '{"note":{"text":"a"}}');
    rmSync(join(one.folder, 'node_modules/everywire'));
    expect(await answer(one, '{"note":{"text":"a"}}')).toBe('{"result":{"text":"a"}}');
  });

  it.each([
    ['7', 'node_modules/typescript'],
    ['6', 'test/node_modules/typescript-6.0'],
    ['5.9', 'test/node_modules/typescript-5.9'],
  ])('sees a change of a type in another file and of the compiler options, with TypeScript %s', async (_, compiler) => {
    const one = project(files, compiler);
    expect(await answer(one, '{"note":{"text":"a"}}')).toBe('{"result":{"text":"a"}}');
    one.write('types.ts', 'export interface Note { text: string; by: string }');
    expect(await answer(one, '{"note":{"text":"a"}}')).toContain('/note/by: required');
    one.write('other/types.ts', 'export interface Note { id: number }');
    one.write('tsconfig.json', '{ "compilerOptions": { "paths": { "#types": ["./other/types.ts"] } } }');
    one.write('notes.ts', files['notes.ts'].replace('./types.ts', '#types'));
    expect(await answer(one, '{"note":{"id":1}}')).toBe('{"result":{"id":1}}');
    one.write('tsconfig.json', '{ "compilerOptions": { "paths": { "#types": ["./types.ts"] } } }');
    expect(await answer(one, '{"note":{"text":"a"}}')).toContain('/note/by: required');
  });

  it('does not mind other timestamps', async () => {
    const one = project(files);
    await answer(one, '{"note":{"text":"a"}}');
    utimesSync(join(one.folder, 'types.ts'), 1e9, 1e9);
    const loaded = await loadedBy((env) => one.with(env, 'schema', 'notes.ts'));
    expect(loaded.filter((url) => COMPILERS.test(url))).toEqual([]);
  });
});

describe(proves('plain.cache', 'a kept description'), () => {
  const pathsOf = ({ folder }: Project) => {
    const kept = join(folder, 'cache/everywire/descriptions');
    return readdirSync(kept).map((name) => join(kept, name));
  };

  it.each([
    ['cut off', (text: string) => text.slice(0, -5)],
    ['empty', () => ''],
    ['changed', (text: string) => text.replace('"type":"string"', '"type":"number"')],
    ['of another version', (text: string) => text.replace(/^\S+/, '9.9.9')],
    ['not JSON', () => '\0'],
  ])('is not trusted if it is %s', async (_what, change) => {
    const one = project(files);
    await answer(one, '{"note":{"text":"a"}}');
    for (const file of pathsOf(one)) writeFileSync(file, change(readFileSync(file, 'utf8')));
    expect(await answer(one, '{"note":{"text":"b"}}')).toBe('{"result":{"text":"b"}}');
    expect(await answer(one, '{"note":{"text":"c"}}')).toBe('{"result":{"text":"c"}}');
  });

  it('is not trusted under the name of another module', async () => {
    const one = project({ ...files, 'math.ts': MATH });
    await answer(one, '{"note":{"text":"a"}}');
    const [notes] = pathsOf(one);
    await one.everywire('schema', 'math.ts');
    for (const file of pathsOf(one)) writeFileSync(file, readFileSync(notes!));
    expect((await one.everywire('call', 'math.ts', 'Add', '--x', '1', '--y', '2')).stdout).toBe('{"result":3}');
  });

  it('is written by several processes at once, or not at all', async () => {
    const one = project(files);
    const note = '{"note":{"text":"a"}}';
    const answers = await Promise.all(Array.from({ length: 4 }, () => answer(one, note)));
    expect(new Set(answers)).toEqual(new Set(['{"result":{"text":"a"}}']));
    expect(pathsOf(one).length).toBe(1);
    const uncached = await one.with({ XDG_CACHE_HOME: '/dev/null' }, 'call', 'notes.ts', 'Write', '--input', note);
    expect(uncached.stdout).toBe('{"result":{"text":"a"}}');
  });
});
