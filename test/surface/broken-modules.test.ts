import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { builtApp } from '../kit/built.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { parseCgi, runCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';

// What the author of a broken module reads: one sentence with the file and the line, and no stack frame of other people's
// code.

const EVERYWIRE = resolve('dist/bin/everywire.js');

function project(files: Record<string, string>): string {
  const folder = temporaryFolder('broken', files);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

const syntax = 'const fine = 1;\n\nexport default {{ broken: ;\n';
const line = 'export default {{ broken: ;';
const caret = (number: number, text: string, at: number) => `  ${number} | ${text}\n    | ${' '.repeat(at)}^`;
const throws = 'function connect() {\n  throw new TypeError("no database");\n}\nconnect();\nexport default 1;\n';
const frames = (file: string) => `\n    at connect (${file}:2:9)\n    at ${file}:4:1`;

const npmInstall = 'Add it with: npm install no-such-package';

/** The files, the first of which is the module, and why it cannot be loaded; after an `!`, the whole message. */
const broken: Record<string, readonly [files: Record<string, string>, message: RegExp | string]> = {
  'a syntax error': [{ 'app.mjs': syntax }, `Unexpected token '{' (app.mjs:3:17)\n${caret(3, line, 16)}`],
  'a syntax error in TypeScript': [{ 'app.ts': syntax }, `Unexpected token (app.ts:3:17)\n${caret(3, line, 16)}`],
  'a syntax error after a tab and other characters': [
    { 'app.ts': 'const é = "日";\tlet x = = 1;\r\n' },
    `Unexpected token (app.ts:1:24)\n${caret(1, 'const é = "日"; let x = = 1;', 24)}`,
  ],
  'a syntax error in a very long line': [
    { 'app.cjs': `${'f();'.repeat(300)}let x = = 1;${'f();'.repeat(300)}` },
    `Unexpected token '=' (app.cjs:1:1209)\n${caret(1, `…${'f();'.repeat(18)}let x = = 1;${'f();'.repeat(19)}…`, 81)}`,
  ],
  'a mistake in imported JSON': [
    { 'app.ts': "import data from './data.json';\nexport default data;", 'data.json': '{\n  "a": \'b\' }' },
    `It is not JSON: unexpected "'" (data.json:2:8)\n${caret(2, '  "a": \'b\' }', 7)}`,
  ],
  'a syntax error in what it imports': [
    {
      'app.mjs': "import './lib/fine.mjs';\nimport './lib/bad.mjs';",
      'lib/fine.mjs': '',
      'lib/bad.mjs': '\nlet x = (1;',
    },
    `Unexpected token ';' (lib/bad.mjs:2:11)\n${caret(2, 'let x = (1;', 10)}`,
  ],
  'a throw': [{ 'app.mjs': throws }, `TypeError: no database (app.mjs:2:9)${frames('app.mjs')}`],
  'a throw in TypeScript': [{ 'app.ts': throws }, `TypeError: no database (app.ts:2:9)${frames('app.ts')}`],
  'a throw of no error': [{ 'app.mjs': 'throw null;' }, 'it threw null'],
  'a throw in a later tick': [
    { 'app.mjs': 'setTimeout(() => {\n  throw new Error("late");\n});\nawait new Promise(() => {});' },
    /^late \(app\.mjs:2:9\)\n {4}at Timeout\._onTimeout \(app\.mjs:2:9\)$/,
  ],
  'a rejection that nobody handles': [
    { 'app.mjs': 'Promise.reject(new Error("late"));\nawait new Promise((done) => setTimeout(done, 500));' },
    'late (app.mjs:1:16)\n    at app.mjs:1:16',
  ],
  'a circular import': [
    {
      'app.mjs': "import { b } from './b.mjs';\nexport const a = b + 1;",
      'b.mjs': "import { a } from './app.mjs';\nexport const b = a + 1;",
    },
    "ReferenceError: Cannot access 'a' before initialization (b.mjs:2:18)\n" +
      'If two modules import each other, move what both need, such as a, into a third module.\n    at b.mjs:2:18',
  ],
  'a missing file somewhere in it': [
    { 'app.mjs': "import './lib/in.mjs';", 'lib/in.mjs': "import './gone.mjs';" },
    `Cannot find module 'lib/gone.mjs' (lib/in.mjs:1:8)\n${caret(1, "import './gone.mjs';", 7)}`,
  ],
  'a mistyped file somewhere in it': [
    { 'app.mjs': "import './lib/reed.js';", 'lib/read.mjs': '' },
    `Cannot find module 'lib/reed.js' (app.mjs:1:8)\n${caret(1, "import './lib/reed.js';", 7)}\nDid you mean lib/read.mjs?`,
  ],
  'createApp without options': [
    { 'app.mjs': "import { createApp } from 'everywire';\nexport default createApp();" },
    '!1 problem in the app:\n  - createApp needs an object: createApp({ name, version, functions })',
  ],
  'a missing package': [
    { 'app.mjs': "import 'no-such-package/part';" },
    `Cannot find package 'no-such-package' (app.mjs:1:8)\n${caret(1, "import 'no-such-package/part';", 7)}\n${npmInstall}`,
  ],
  'a missing package somewhere in its TypeScript': [
    { 'app.ts': "import './lib/in.ts';", 'lib/in.ts': "\nimport 'no-such-package';\nexport const x = 1;" },
    `Cannot find package 'no-such-package' (lib/in.ts:2:8)\n${caret(2, "import 'no-such-package';", 7)}\n${npmInstall}`,
  ],
  'a missing file in TypeScript': [
    { 'app.ts': "import { x } from './gone.js';\nexport const y = x;" },
    `Cannot find module 'gone.js' (app.ts:1:19)\n${caret(1, "import { x } from './gone.js';", 18)}`,
  ],
  'an entry of everywire that is not there': [
    { 'app.mjs': "import 'everywire/nodes';" },
    `Cannot find 'everywire/nodes' (app.mjs:1:8)\n${caret(1, "import 'everywire/nodes';", 7)}\nDid you mean everywire/node?`,
  ],
  'an entry of everywire that is not there, in TypeScript': [
    { 'app.ts': "import 'everywire/nodes';" },
    `Cannot find package 'everywire/nodes' (app.ts:1:8)\n${caret(1, "import 'everywire/nodes';", 7)}\nDid you mean everywire/node?`,
  ],
  'the export of another entry of everywire': [
    { 'app.mjs': "import { serve } from 'everywire';" },
    "The requested module 'everywire' does not provide an export named 'serve' (app.mjs:1:10)\n" +
      `${caret(1, "import { serve } from 'everywire';", 9)}\nserve is exported by everywire/node`,
  ],
  'an error with a cause': [
    { 'app.mjs': "throw new Error('no orders', { cause: new TypeError('the database is down') });" },
    'no orders: TypeError: the database is down (app.mjs:1:7)\n    at app.mjs:1:7',
  ],
  'an error that repeats its cause': [
    {
      'app.mjs': "throw new Error('keys: no file', { cause: new Error('no file', { cause: new Error('ENOENT') }) });",
    },
    'keys: no file (app.mjs:1:7)\n    at app.mjs:1:7',
  ],
  'several errors in one without a message': [
    { 'app.mjs': "throw new AggregateError([new Error('connect refused')]);" },
    'AggregateError: connect refused (app.mjs:1:7)\n    at app.mjs:1:7',
  ],
  'a throw of something like an error': [{ 'app.mjs': "throw { message: 'no database' };" }, 'no database'],
  'an error whose fields are of other types': [
    { 'app.mjs': 'throw Object.assign(new Error(), { name: 1, message: {}, stack: [], code: 5 });' },
    'Error',
  ],
  'a file that is JSON': [{ 'app.json': '{}' }, '!app.json is not a module; expected a .ts, .js or .mjs file'],
  'JSON that is imported': [
    { 'app.mjs': "import data from './data.json';\nexport default data;", 'data.json': '{}' },
    "data.json has to be imported with { type: 'json' }",
  ],
  'JSON that is imported in a folder with an odd name': [
    { 'o d#%20/app.mjs': "import './data.json';", 'o d#%20/data.json': '{}' },
    "o d#%20/data.json has to be imported with { type: 'json' }",
  ],
  'a top-level await that never ends': [
    { 'app.mjs': 'await new Promise(() => {});' },
    '!app.mjs never finished loading: a top-level await never settles',
  ],
  'its own end': [{ 'app.mjs': 'process.exit(0);' }, '!app.mjs ended the process while loading (exit code 0)'],
  'an export that is not there': [
    { 'app.mjs': "\nimport { nothing } from './lib.mjs';\nexport default nothing;", 'lib.mjs': 'export const x = 1;' },
    "The requested module './lib.mjs' does not provide an export named 'nothing' (app.mjs:2:10)\n" +
      caret(2, "import { nothing } from './lib.mjs';", 9),
  ],
  'an export that is not there in TypeScript': [
    {
      'app.ts': "// why\n\nimport {\n  type A,\n  nothing,\n} from './lib.ts';\nexport default nothing;",
      'lib.ts': 'export type A = 1;',
    },
    "The requested module 'lib.ts' does not provide an export named 'nothing' (app.ts:5:3)\n" +
      caret(5, '  nothing,', 2),
  ],
  'no app': [
    { 'app.mjs': 'export default 1;' },
    '!app.mjs exports no app; add: export default createApp({ … }). Functions alone are served from TypeScript, by their types',
  ],
};

/** The message is made in one place; in `npm test`, one module in five is tried with every command. */
const rows = Object.entries(broken).map(([title, row], i) => [title, i % size(5, 1) === 0, ...row] as const);

describe.concurrent.each(rows)('a module with %s', (_title, isEveryCommand, files, message) => {
  const [name = ''] = Object.keys(files);

  it(proves('cli.load', 'is refused in one sentence, by every command'), async () => {
    const folder = project(files);
    for (const command of isEveryCommand ? ['call', 'mcp'] : ['call']) {
      const { stdout, stderr, code } = await run([EVERYWIRE, command, name], undefined, {}, folder);
      const whole = /^error: ([^]*)\n$/.exec(stderr)?.[1] ?? '';
      const reason = whole.startsWith(`${name} cannot be loaded: `)
        ? whole.slice(`${name} cannot be loaded: `.length)
        : `!${whole}`;
      if (typeof message === 'string') expect(reason).toBe(message);
      else expect(reason).toMatch(message);
      expect([stdout, code]).toEqual(['', 1]);
    }
  });
});

it.concurrent.each(rows.filter(([, isEveryCommand]) => isEveryCommand))(
  proves('cgi.always', 'a module with %s is answered over CGI'),
  async (_title, _isEveryCommand, files) => {
    const [name = ''] = Object.keys(files);
    const request = { REQUEST_METHOD: 'GET', PATH_INFO: '/healthz' };
    const { stdout, stderr, code } = await runCgi([EVERYWIRE, 'cgi', join(project(files), name)], request);
    expect(parseCgi(stdout)).toMatchObject({ status: 500, body: '{"error":"The server could not answer"}' });
    expect(stderr).toContain('error: ');
    expect(code).toBe(0);
  },
);

it(proves('cli.load', 'a version of Node that is too old gets a message, also from a built app'), async () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' }); delete process.getBuiltinModule;";
  const folder = project({ 'old.cjs': old });
  for (const file of [EVERYWIRE, await builtApp('calculator'), await builtApp('calculator', 'cjs')]) {
    const { stdout, stderr, code } = await run(['--require', join(folder, 'old.cjs'), file, '--help']);
    expect([stdout, code]).toEqual(['', 1]);
    expect(stderr).toMatch(/^error: \w+ needs Node\.js 20\.19 or later, not 18\.20\.8\n$/);
  }
});

it(proves('cli.load', 'a mistake in a module that Node runs itself is no long line of compiled code'), async () => {
  const source = "import { createApp } from 'everywire'; createApp({ name: 'Shop', version: '1', functions: {} });";
  const { stderr, code } = await run(['--input-type=module', '--eval', source], undefined, {});
  expect(stderr).toContain('functions must be a list');
  expect(Math.max(...stderr.split('\n').map(({ length }) => length))).toBeLessThan(500);
  expect(code).toBe(1);
});
