// Compiles src to dist, stamps the version and commit that the banner shows, and joins modules: Node takes about half
// a millisecond for each file that it imports, and a command should not load a hundred. From source, a CGI request takes
// 61 ms instead of 114 (`npm run bench -- --only tricks`).
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildConsole } from './build-console.mjs';

// Files that are loaded together: what an app is made of and answers HTTP with, which must need nothing of Node, since
// app.fetch runs anywhere; and what answers CGI. Samples are only for help.
const GROUPS = [
  {
    name: 'core',
    test: /\/dist\/(?:version|access\/(?:create-access|check-options|scopes|authenticator)|app\/.*|core\/(?!file-results|streamed-file|stream\.).*|schema\/(?!sample).*|responses\/(?!source-mistake).*|env\/(?!host-).*|audit\/(?:console|record)|wires\/(?:trace-context|json-body|cut-nesting|http\/(?!openapi\/(?!reply)|stream\.|event-body).*))\.js$/,
    priority: 2,
  },
  {
    name: 'cgi',
    test: /\/dist\/(?:hosts\/cgi|load\/(?:module-error|app-origin)|wires\/cgi\/wire|stdout\/(?:claim|descriptor|inherited|patch|pause|reopen|stderr|stdin|terminal|write)|bin\/(?:run-module|node-process|fast-start|report-error|end-process|while-loading|uncaught|commands\/run-cgi|options\/(?:wants-exact-body|cgi-arguments|has-settings)))\.js$/,
    priority: 1,
  },
  // What a call on the command line needs. Nothing that loads TypeScript: apps that are commands have these files, too.
  {
    name: 'command',
    test: /\/dist\/(?:bin\/(?:banner|program|workers\/is-worker|commands\/(?:answer|app|app-source|cgi|containerize|function|groups|mcp|openapi|serve|terminal-asker|wires)|options\/(?!choose-config|load-settings).*)|wires\/cli\/.*|schema\/sample.*)\.js$/,
    priority: 1,
  },
  // Apart from what a build needs: V8 keeps nothing for it of a script that imports what it is told to.
  {
    name: 'source',
    test: /\/dist\/load\/(?:load-app|record-file|find-config|cache-folder|cache-record|digest|input-states|write-atomically|plain\/refusals|typescript\/import-\w+)\.js$/,
    priority: 1,
  },
  // What a plain module needs, if its description is known; and what of that is in a built app, too.
  {
    name: 'plain',
    test: /\/dist\/load\/plain\/(?:load-plain|read-modules|describe-cached|app-facts)\.js$/,
    priority: 1,
  },
  {
    name: 'bind',
    test: /\/dist\/(?:load\/plain\/(?:plain-app|frozen-modules)|sources\/module\/(?:bind-module|bind\/.*|shape))\.js$/,
    priority: 1,
  },
];

/** What the entry of a built app imports. */
const BUILT_APPS = ['load/plain/plain-app', 'load/plain/frozen-modules'];

/** What tests run commands with, in their own process; `bin/run-module` is a door already. */
const WITHOUT_PROCESS = ['bin/run-everywire', 'load/load-app'];

/** Becomes the first lines of every built app, and so stays as it is. */
const LOADER = 'build/loader.js';

// For programs that import the library; the command itself looks before it loads anything. Other runtimes have no version,
// or that of the Node they are like.
const TOO_OLD = `{
  const version = globalThis.process?.versions?.node;
  const [major, minor] = (version ?? "").split(".").map(Number);
  if (version && (major < 20 || (major === 20 && minor < 19)))
    throw new Error("everywire needs Node.js 20.19 or later, not " + version);
}`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

if (process.argv.includes('--if-changed') && isBuilt()) process.exit(0);

// Elsewhere first: until a build has succeeded, the last one stays usable.
mkdirSync(`${root}.cache`, { recursive: true });
const workspace = mkdtempSync(`${root}.cache/build-`);
const dist = join(workspace, 'dist');
try {
  compile();
  writeFileSync(
    join(dist, 'version.js'),
    `export const version = ${JSON.stringify(version)};\nexport const commit = ${JSON.stringify(commit())};\n`,
  );
  await joinModules();
  await buildConsole(join(dist, 'console'));
  chmodSync(join(dist, 'bin/everywire.js'), 0o755);
  if (existsSync(`${root}dist`)) renameSync(`${root}dist`, join(workspace, 'old'));
  renameSync(dist, `${root}dist`);
} finally {
  rmSync(workspace, { recursive: true });
}

/** Whether dist is newer than everything that it is made of, and of this commit, which its banner shows. */
function isBuilt() {
  const stamp = `${root}dist/version.js`;
  if (!existsSync(stamp) || !readFileSync(stamp, 'utf8').includes(JSON.stringify(commit()))) return false;
  const sources = readdirSync(`${root}src`, { recursive: true }).map((file) => join(root, 'src', file));
  const parts = [
    'scripts/build.mjs',
    'scripts/build-console.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ];
  const built = statSync(stamp).mtimeMs;
  return [...sources, ...parts.map((file) => join(root, file))].every((file) => statSync(file).mtimeMs < built);
}

function compile() {
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  // mutants.mjs passes --noCheck.
  const flags = [
    '-p',
    root,
    '--outDir',
    dist,
    '--sourceMap',
    ...process.argv.slice(2).filter((flag) => flag !== '--if-changed'),
  ];
  const { status } = spawnSync(process.execPath, [tsc, ...flags], { stdio: 'inherit' });
  // tsc has printed why; a stack trace of this script would only hide it.
  if (status !== 0) {
    rmSync(workspace, { recursive: true });
    process.exit(1);
  }
}

/** Every door stays a file of its own, and so does what `everywire build` looks for. */
async function joinModules() {
  const { exports, imports, bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const doors = [...JSON.stringify([exports, imports, bin]).matchAll(/dist\/([\w/-]+)\.js/g)].map(([, name]) => name);
  const names = [...new Set([...doors, 'wires/http/openapi/document', ...BUILT_APPS, ...WITHOUT_PROCESS])];
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.js(?:\.map)?$/.test(file) && file !== LOADER,
  );
  const build = await rolldown({
    cwd: workspace,
    input: Object.fromEntries(names.map((name) => [name, join(dist, `${name}.js`)])),
    platform: 'neutral',
    preserveEntrySignatures: 'allow-extension',
    external: (id) => !/^[./]/.test(id),
    plugins: [{ name: 'source-maps', load: loadWithMap }],
    logLevel: 'silent',
  });
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minifyInternalExports: false,
    // People read what they install: with their own names, comments and lines.
    minify: false,
    // Node reads them only with --enable-source-maps. The sources are in the package, and so not in the maps.
    sourcemap: true,
    sourcemapExcludeSources: true,
    dir: `${root}dist`,
    banner: ({ name }) => (name === 'core' ? TOO_OLD : ''),
    codeSplitting: { includeDependenciesRecursively: false, groups: GROUPS },
  });
  await build.close();
  for (const module of modules) rmSync(join(dist, module));
  writeFileSync(join(dist, LOADER), withoutMap(readFileSync(join(dist, LOADER), 'utf8')));
  for (const { fileName, code, source } of output) {
    mkdirSync(dirname(join(dist, fileName)), { recursive: true });
    // The line above what was a module names its source.
    writeFileSync(join(dist, fileName), code?.replaceAll(/^\/\/ dist\/(.*)\.js$/gm, '// src/$1.ts') ?? source);
  }
}

/** A compiled module with its source map, which then leads from the chunk to the source. */
function loadWithMap(id) {
  if (!id.startsWith(dist) || !existsSync(`${id}.map`)) return undefined;
  const map = JSON.parse(readFileSync(`${id}.map`, 'utf8'));
  const sources = map.sources.map((source) => resolve(dirname(id), source));
  return { code: withoutMap(readFileSync(id, 'utf8')), map: { ...map, sources } };
}

function withoutMap(code) {
  return code.replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return 'unknown'; // a tarball, or a checkout before its first commit
  }
}
