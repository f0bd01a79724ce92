import { readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedBy } from '../build/loaded.ts';
import { proves } from '../promises.ts';
import { compilers } from '../sources/read-source.ts';
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

// In processes: one that is ended has kept what it read.
const answer = async (one: Project, note: string) =>
  (await one.with({}, 'call', 'notes.ts', 'Write', '--input', note)).stdout;

/** Of the project, of the module, of what runs it. */
const COMPILERS =
  /\/(?:typescript|typescript-[\w-]+|oxc-transform|es-module-lexer|jiti)\/(?!.*notes\.ts)|describe-module/;

describe(proves('plain.warm', 'a second start'), () => {
  it('loads neither the compiler nor a transpiler, whatever the time of files and even if they are gone', async () => {
    const one = project(files);
    const compilersLoaded = async () => {
      const call = ['call', 'notes.ts', 'Write', '--input', '{"note":{"text":"a"}}'];
      return (await loadedBy((env) => one.with(env, ...call))).filter((url) => COMPILERS.test(url));
    };
    expect((await compilersLoaded()).length).toBeGreaterThan(1);
    expect(await compilersLoaded()).toEqual([]);
    utimesSync(join(one.folder, 'types.ts'), 1e9, 1e9);
    rmSync(join(one.folder, 'node_modules/everywire'));
    expect(await compilersLoaded()).toEqual([]);
  });

  it.each(compilers)('sees a change of types and of options, with TypeScript $version', async ({ folder }) => {
    const one = project(files, folder);
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
});

describe(proves('plain.cache', 'a kept description'), () => {
  const pathsOf = ({ folder }: Project) => {
    const kept = join(folder, 'cache/everywire/descriptions');
    return readdirSync(kept).map((name) => join(kept, name));
  };

  it('is not trusted if it is damaged, or of another version', async () => {
    const changes = [
      (text: string) => text.slice(0, -5),
      () => '',
      (text: string) => text.replace('"type":"string"', '"type":"number"'),
      (text: string) => text.replace(/^\S+/, '9.9.9'),
      () => '\0',
    ];
    const descriptionIn = (text: string) => /"description":.*(?=,"inputs")/.exec(text)?.[0];
    const one = project(files);
    expect(await answer(one, '{"note":{"text":"a"}}')).toBe('{"result":{"text":"a"}}');
    const [file] = pathsOf(one);
    const intact = readFileSync(file!, 'utf8');
    for (const change of changes) {
      writeFileSync(file!, change(intact));
      expect(await answer(one, '{"note":{"text":"b"}}')).toBe('{"result":{"text":"b"}}');
      expect(descriptionIn(readFileSync(file!, 'utf8'))).toBe(descriptionIn(intact)); // the source was read again
    }
  });

  it('is not trusted under the name of another module', async () => {
    const one = project({ ...files, 'math.ts': MATH });
    await answer(one, '{"note":{"text":"a"}}');
    const [notes] = pathsOf(one);
    await one.with({}, 'schema', 'math.ts');
    for (const file of pathsOf(one)) writeFileSync(file, readFileSync(notes!));
    expect((await one.everywire('call', 'math.ts', 'Add', '--x', '1', '--y', '2')).stdout).toBe('{"result":3}');
  });

  it('is written by several processes at once, or not at all', async () => {
    const one = project(files);
    const note = '{"note":{"text":"a"}}';
    const call = () => one.with({}, 'call', 'notes.ts', 'Write', '--input', note);
    const answers = (await Promise.all([call(), call(), call()])).map(({ stdout }) => stdout);
    expect(new Set(answers)).toEqual(new Set(['{"result":{"text":"a"}}']));
    expect(pathsOf(one).length).toBe(1);
    const uncached = await one.with({ XDG_CACHE_HOME: '/dev/null' }, 'call', 'notes.ts', 'Write', '--input', note);
    expect(uncached.stdout).toBe('{"result":{"text":"a"}}');
  });
});
