import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { App } from 'everywire';
import { loadApp } from 'everywire/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEnvironment } from '../../src/env/environment.ts';
import { compareWires } from '../../src/proof/parity.ts';
import { loadedBy } from '../build/loaded.ts';
import { asJson } from '../kit/as-json.ts';
import { untilServing } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';
import { compilers } from '../sources/read-source.ts';
import { MATH, project, type Project } from './project.ts';

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
    one.write('notes.ts', files['notes.ts'].replace('./types.ts', './note'));
    // Without "jsx", the compiler does not read what it finds.
    one.write('note.tsx', 'export interface Note { text: string }');
    one.write('note.d.ts', 'export interface Note { of: string }');
    expect((await one.with({}, 'call', 'notes.ts', 'Write')).stderr).toContain('note.tsx');
    rmSync(join(one.folder, 'note.tsx'));
    expect(await answer(one, '{"note":{}}')).toContain('/note/of: required');
    one.write('notes.ts', files['notes.ts'].replace('./types.ts', 'linked'));
    for (const field of ['a', 'b']) {
      one.write(`${field}/package.json`, '{ "name": "linked", "types": "./index.d.ts" }');
      one.write(`${field}/index.d.ts`, `export interface Note { ${field}: string }`);
      rmSync(join(one.folder, 'node_modules/linked'), { force: true });
      symlinkSync(join(one.folder, field), join(one.folder, 'node_modules/linked'));
      expect(await answer(one, '{"note":{}}')).toContain(`/note/${field}: required`);
    }
  });
});

describe(proves('plain.cache', 'a kept description'), () => {
  const pathsOf = ({ folder }: Project) => {
    const kept = join(folder, 'cache/everywire/descriptions');
    return readdirSync(kept).map((name) => join(kept, name));
  };

  it('is not trusted if it is damaged, or of another version', async () => {
    const descriptionIn = (text: string) => /"description":.*(?=,"inputs")/.exec(text)?.[0];
    const one = project(files);
    expect(await answer(one, '{"note":{"text":"a"}}')).toBe('{"result":{"text":"a"}}');
    const [file] = pathsOf(one);
    const intact = readFileSync(file!, 'utf8');
    for (const damaged of [
      intact.slice(0, -5),
      intact.replace('"type":"string"', '"type":"number"'),
      intact.replace(/^\S+/, '9.9.9'),
      '\0',
    ]) {
      writeFileSync(file!, damaged);
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

// npm itself installs the package in surface/runtimes.full.test.ts.
it(proves('plain.newcomer', 'from an empty folder to an answer: install, serve, curl'), async () => {
  const example = /^```ts\n\/\/ math\.ts\n([^]*?)^```/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  expect(example).toBe(readFileSync('examples/plain/math.ts', 'utf8'));
  const folder = temporaryFolder('newcomer', { 'math.ts': example });
  await unpackInto(folder, 'typescript');
  // Started as npx would, whose process would have to be ended as well.
  const options = { cwd: folder, env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } };
  const server = spawn(join(folder, 'node_modules/.bin/everywire'), ['serve', 'math.ts', '--port', '0'], options);
  try {
    const { url } = await untilServing(server);
    const curl = spawn('curl', ['-s', '--json', '{"x": 10, "y": 20}', `${url}/functions/Add`]);
    expect(await textOf(curl.stdout)).toBe('{"result":30}');
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
});

describe(proves('plain.same', 'the same calculator, as plain types and with schemas'), () => {
  const apps = new Map<string, App>();
  beforeAll(async () => {
    for (const name of ['calculator', 'zod']) apps.set(name, await loadApp(`test/plain/calculators/${name}.ts`));
  });

  const documents = async (name: string) => {
    const get = async (target: string, init?: RequestInit) =>
      (await apps.get(name)!.fetch(new Request(`http://localhost${target}`, init))).text();
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    return [
      ...(await Promise.all(['', '?version=3.0', '?profiles=all'].map((query) => get(`/openapi.json${query}`)))),
      await get('/mcp', asJson(list, { accept: 'application/json, text/event-stream' })),
    ];
  };

  it('has the same documents and tools, byte for byte', async () => {
    const plain = await documents('calculator');
    for (const one of plain) expect(one).toContain('functions.Statistics');
    expect(await documents('zod')).toEqual(plain);
  });

  it('answers generated calls with the same bodies', async () => {
    const wires = [...apps].map(([name, app]) => ({
      name,
      async call({ function: fn, input }: { function: string; input: unknown }) {
        const call = { name: fn, input, environment: createEnvironment({}) };
        const { body, outcome } = await app.respond(call as never, app.profile);
        return { body, code: outcome.ok ? undefined : outcome.error.code };
      },
      close: async () => {},
    }));
    const functions = apps.get('calculator')!.functions as never;
    const found = await compareWires({ functions, wires, calls: 200, costlyCalls: 0, seed: 18 });
    expect([found.differences, found.unsteady]).toEqual([[], []]);
    for (const count of [found.successes, found.calls - found.successes]) expect(count).toBeGreaterThan(40);
  });
});
