import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';
import { filesIn, filesOf, jsonIn } from './create.ts';

// The packed packages, unpacked where npm would install them, and the project that they create. project.full.test.ts does the
// same with npm, and starts everything.

const exec = promisify(execFile);

let folder: string;
let project: string;
let printed: string;

beforeAll(async () => {
  folder = temporaryFolder('created');
  project = join(folder, 'my süms'); // with a space and a letter that is not ASCII
  await unpackInto(folder);
  const create = [join(folder, 'node_modules/create-everywire/create-everywire.js'), 'my süms', '--mcp', 'cursor'];
  ({ stdout: printed } = await exec(process.execPath, create, { cwd: folder }));
  await unpackInto(project, ...Object.keys(jsonIn(project, 'package.json').devDependencies));
});

/** Runs a script of the project's package.json, as npm does. */
function script(name: string) {
  const PATH = [join(project, 'node_modules/.bin'), resolve('node_modules/.bin'), process.env['PATH']].join(':');
  const line = jsonIn(project, 'package.json').scripts[name] as string;
  return exec('sh', ['-c', line], { cwd: project, env: { ...process.env, PATH, JITI_FS_CACHE: 'false' } });
}

describe('a new project', () => {
  it(proves('init.create', 'has the same files when create-everywire makes it, and says how to go on'), () => {
    const files = filesIn(project).filter((file) => !file.startsWith('node_modules/'));
    expect(files).toEqual([...filesOf('my-sums'), '.github/workflows/test.yml', '.cursor/mcp.json'].toSorted());
    expect(printed).toMatch(/^Created my-sums in my süms:\n[^]*\nNext:\n {2}cd 'my süms'\n {2}npm install\n/);
  });

  it(proves('init.project', 'passes its own test, which can fail'), async () => {
    expect((await script('test')).stdout).toMatch(/# pass 2\n# fail 0\n|pass 2\n[^]*fail 0\n/);
    expect(readFileSync(join(project, 'test/my-sums.test.ts'), 'utf8')).toContain('assert.equal(Add(10, 20), 30)');
  });

  it(proves('init.project', 'has no type errors'), async () => {
    expect((await script('check')).stdout).toBe('');
  });

  it(proves('init.project', 'builds a file that serves its functions'), async () => {
    await script('build');
    const { stdout } = await exec(process.execPath, [join(project, 'dist/app.mjs'), 'add', '--x', '1', '--y', '2']);
    expect(stdout).toBe('{"result":3}');
  });
});

it(proves('init.create', 'has the version of everywire, and depends on it'), () => {
  const { version, license, engines } = jsonIn('package.json');
  const expected = { version, license, engines, dependencies: { everywire: version } };
  expect(jsonIn('packages/create-everywire/package.json')).toMatchObject(expected);
  expect(readFileSync('packages/create-everywire/LICENSE', 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
});
