import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { proveCgi, timedSum } from '../measure/cgi.mjs';
import { scratch } from '../measure/children.mjs';
import { build, command, contender, packageFolder } from '../measure/everywire.mjs';
import { REVISIONS } from '../measure/mcp.mjs';
import { runToEnd } from '../measure/run-to-end.mjs';
import { StdioServer } from '../measure/stdio.mjs';
import { inTurns } from '../measure/turns.mjs';

/** What each trick that makes a start faster is worth: the same start with and without it. */
export const tricks = {
  title: 'What each trick saves',
  how: ({ starts }) => `Starts: ${2 * starts} of each, in turns; medians.`,
  packages: [],

  async measure({ starts }) {
    const bundles = await plainBundles();
    return {
      cgi: await measureCgi(2 * starts, bundles),
      mcp: await measureMcp(2 * starts, bundles),
      stdout: await measureStdout(2 * starts),
    };
  },

  tables: ({ cgi, mcp, stdout }) => [
    table('One request over CGI', cgi),
    table('MCP over stdio: from the start of the process to its first answer', mcp),
    table('`call --json`, by where stdout leads', stdout),
  ],
};

const app = contender('app.mjs');
const ORIGIN = ['--allow-origin', 'https://app.example'];

function measureCgi(starts, { file, folder }) {
  const scripts = [
    { name: 'built', args: [build('app.mjs'), 'cgi'] },
    { name: 'built, without its code cache', args: [withoutCache(build('app.mjs')), 'cgi'] },
    { name: 'plain rolldown bundle, one file', args: [file, 'cgi'] },
    { name: 'plain rolldown bundle, lazy imports in files of their own', args: [folder, 'cgi'] },
    { name: 'built, with an option to parse', args: [build('app.mjs'), 'cgi', ...ORIGIN] },
    ...fromSource('cgi', app),
    { name: 'source, with an option to parse', args: [command, 'cgi', ...ORIGIN, app] },
  ];
  return inOrder(starts, scripts, async (script) => {
    const cgi = { ...script, env: () => script.env ?? {} };
    await proveCgi(cgi);
    return () => timedSum(cgi);
  });
}

function measureMcp(starts, { file, folder }) {
  const scripts = [
    { name: 'built', args: [build('app.mjs'), 'mcp'] },
    { name: 'built, without its code cache', args: [withoutCache(build('app.mjs')), 'mcp'] },
    { name: 'plain rolldown bundle, one file', args: [file, 'mcp'] },
    { name: 'plain rolldown bundle, lazy imports in files of their own', args: [folder, 'mcp'] },
    { name: 'built, with an option to parse', args: [build('app.mjs'), 'mcp', '--env', 'A=1'] },
    ...fromSource('mcp', app),
    { name: 'source, with an option to parse', args: [command, 'mcp', '--env', 'A=1', app] },
  ];
  return inOrder(starts, scripts, (script) => () => timedGreeting(script));
}

/** Where stdout leads decides how it is claimed; see src/stdout/README.md. */
function measureStdout(starts) {
  const args = [command, 'call', app, 'Add', '--x', '1', '--y', '2', '--json'];
  const scripts = [
    { name: 'a pipe: opened again', stdout: 'pipe' },
    { name: 'a socket: duplicated with SCM_RIGHTS', stdout: 'socket' },
    { name: 'a file: a second process', stdout: 'file' },
  ];
  return inOrder(starts, scripts, ({ stdout }) => async () => {
    const { wall, output } = await runToEnd(args, { stdout });
    if (output !== '{"result":3}') throw new Error(`call printed ${output}`);
    return wall;
  });
}

function fromSource(...args) {
  return [
    { name: 'source', args: [command, ...args] },
    { name: 'source, one file for each module', args: [unjoined(), ...args] },
    {
      name: "source, without Node's compile cache",
      args: [command, ...args],
      env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  ];
}

async function inOrder(starts, scripts, prepare) {
  const timed = [];
  for (const script of scripts) timed.push({ name: script.name, time: await prepare(script) });
  for (const { time } of timed) await time(); // fills the caches
  return inTurns(timed, starts, async ({ time }) => ({ wall: await time() }));
}

async function timedGreeting({ name, args, env }) {
  const start = performance.now();
  const server = new StdioServer(name, args, env);
  try {
    await server.greet(REVISIONS[0]);
    return performance.now() - start;
  } finally {
    await server.stop();
  }
}

/** A build as anybody would make it: rolldown with its defaults, minified. */
async function plainBundles() {
  const entry = join(packageFolder, 'bench', `.entry-${process.pid}.mjs`);
  const run = join(packageFolder, 'dist/bin/run-module.js');
  writeFileSync(
    entry,
    `import { runModule } from ${JSON.stringify(run)};
await runModule(async () => (await import(${JSON.stringify(app)})).default, process.argv);\n`,
  );
  try {
    const bundle = await rolldown({
      input: { main: entry },
      platform: 'node',
      external: ['jiti', 'rolldown'],
      logLevel: 'silent',
    });
    const output = { format: 'es', minify: true, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
    await bundle.write({ ...output, dir: join(scratch, 'plain-file'), codeSplitting: false });
    await bundle.write({ ...output, dir: join(scratch, 'plain-folder') });
    await bundle.close();
  } finally {
    rmSync(entry);
  }
  return { file: join(scratch, 'plain-file/main.mjs'), folder: join(scratch, 'plain-folder/main.mjs') };
}

/** The same build, whose loader is told of no code cache. */
function withoutCache(built) {
  const text = readFileSync(built, 'latin1').replace(/^const PLACES = (.*);$/m, (_, places) => {
    const without = JSON.parse(places).map(([names, place]) => [names, place.slice(0, 3)]);
    return `const PLACES = ${JSON.stringify(without)};`;
  });
  const out = join(scratch, `uncached-${basename(built)}`);
  writeFileSync(out, text, 'latin1');
  return out;
}

let plainCommand;

/** The command as tsc compiles it: a file for each module of the source. */
function unjoined() {
  if (plainCommand) return plainCommand;
  const folder = mkdtempSync(join(scratch, 'unjoined-'));
  const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', packageFolder, '--outDir', join(folder, 'dist')], { stdout: 'pipe' });
  cpSync(join(packageFolder, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(packageFolder, 'node_modules'), join(folder, 'node_modules'));
  plainCommand = join(folder, 'dist/bin/everywire.js');
  return plainCommand;
}

function table(caption, measured) {
  const [first] = measured;
  const rows = measured.map(({ name, wall }) => [
    name,
    wall.toFixed(1),
    (wall - first.wall).toFixed(1),
    (wall / first.wall).toFixed(2),
  ]);
  return { caption, head: ['', 'ms', `ms over ${first.name}`, 'ratio'], rows };
}
