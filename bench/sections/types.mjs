import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratch } from '../measure/children.mjs';
import { inTurns } from '../measure/turns.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COUNT = 200;
const VERSIONS = ['7.0', '6.0', '5.9'];

export const types = {
  title: 'Compiling types',
  how: ({ rounds }) =>
    `\`tsc --noEmit\` of ${COUNT} functions and ${COUNT} client calls, processor time of the whole process. Runs: ${rounds} of each; medians.`,
  packages: ['zod'],

  async measure({ rounds, count = COUNT, versions = VERSIONS }) {
    const projects = writeProjects(count);
    const measured = {};
    for (const { version, command } of compilers(versions))
      measured[version] = await inTurns(projects, rounds, ({ folder }) => compile(command, folder));
    return measured;
  },

  tables: (measured) =>
    Object.entries(measured).map(([version, rows]) => ({
      caption: `TypeScript ${version}`,
      head: ['', 'CPU s', 'ratio', 'instantiations'],
      rows: rows.map(({ name, cpu, instantiations }) => [
        name,
        cpu.toFixed(2),
        (cpu / rows[0].cpu).toFixed(2),
        Math.round(instantiations).toLocaleString('en'),
      ]),
    })),
};

/** Those that are installed: the others are packages of the tests. */
function compilers(versions) {
  return versions
    .map((version) => ({ version, folder: FOLDERS[version] ?? join(root, `test/node_modules/typescript-${version}`) }))
    .filter(({ folder }) => existsSync(folder))
    .map(({ version, folder }) => ({
      version,
      command: version === '7.0' ? NATIVE : [process.execPath, join(folder, 'bin/tsc')],
    }));
}

const FOLDERS = { '7.0': join(root, 'node_modules/typescript') };
/** The package of 7.0 would start it with Node. */
const NATIVE = [
  join(root, `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`),
  '--singleThreaded',
];

function compile([program, ...args], folder) {
  const script = 'TIMEFORMAT="cpu %U %S"; time "$@"';
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', script, 'bash', program, ...args, '-p', folder, '--extendedDiagnostics'],
    { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  );
  const [, user, system] = /^cpu (\S+) (\S+)$/m.exec(stderr) ?? [];
  const [, instantiations] = /^Instantiations: +(\d+)$/m.exec(stdout) ?? [];
  if (/error TS/.test(stdout) || !instantiations) throw new Error(`${program} failed: ${stdout}${stderr}`);
  return { cpu: Number(user) + Number(system), instantiations: Number(instantiations) };
}

/** The same schemas: alone, with plain functions of the types that zod infers from them, and with everything. */
function writeProjects(count) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const functions = numbers.map((i) => schemas(i) + definition(i)).join('');
  return [
    write('zod schemas alone', { 'app.ts': HEAD + numbers.map(schemas).join('') }),
    write('zod schemas, plain functions', { 'app.ts': HEAD + numbers.map((i) => schemas(i) + plain(i)).join('') }),
    write('everywire, functions and client calls', {
      'app.ts': `${HEAD}import { createApp, defineFunction } from 'everywire';
${functions}export const app = createApp({ name: 'A', version: '1', functions: [${numbers.map((i) => `f${i}`).join()}] });
`,
      'client.ts': `import { createClient } from 'everywire/client';
import type { app } from './app.js';
const client = createClient<typeof app>('http://localhost');
let total = 0;
${numbers.map(call).join('')}console.log(total);
`,
    }),
  ];
}

function write(name, files) {
  const folder = mkdtempSync(join(scratch, 'types-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/everywire'));
  for (const found of ['zod', '@types'])
    symlinkSync(join(root, 'node_modules', found), join(folder, 'node_modules', found));
  for (const [path, text] of Object.entries({ ...files, ...SETTINGS })) writeFileSync(join(folder, path), text);
  return { name, folder };
}

const HEAD = `import { z } from 'zod';\n`;
const SETTINGS = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    },
    include: ['*.ts'],
  }),
};

const schemas = (i) => `const input${i} = z.object({
  id: z.string(), count${i}: z.int().min(${i}), unit: z.enum(['C', 'F']).default('C'),
  tags: z.array(z.string()).optional(), inner: z.object({ a: z.number(), b: z.boolean().optional() }),
});
const output${i} = z.object({
  id: z.string(), total${i}: z.number(), rows: z.array(z.object({ name: z.string(), at: z.date() })),
});
`;
const body = (i) => `({ id: input.id, total${i}: input.count${i}, rows: [{ name: input.unit, at: new Date() }] })`;
const plain = (i) =>
  `export const f${i} = (input: z.output<typeof input${i}>): z.input<typeof output${i}> => ${body(i)};\n`;
const definition = (i) => `export const f${i} = defineFunction({
  name: 'F${i}', description: 'd', input: input${i}, output: output${i},
  errors: { BAD${i}: { description: 'd' }, GONE${i}: { description: 'd' } }, run: (input) => ${body(i)},
});
`;
const call = (i) => `{
  const outcome = await client.call('F${i}', { id: '${i}', count${i}: ${i}, inner: { a: 1 } });
  if (outcome.ok) total += outcome.data.total${i};
  else console.log(outcome.error.code);
}
`;
