// Changes one operator of src at a time, and looks whether a test of `npm test` fails. All changes are made at once, in a
// copy of the checkout that is built once (mutants/places.mjs); a variable of the environment selects one, also in
// processes that tests start. Each mutant is tried only with the tests that reach it.
import { execFileSync, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findMutants, findProbes, withMutants } from './mutants/places.mjs';

const ROOMS = ['core', 'schema', 'access', 'tasks', 'responses', 'app', 'wires/http'];

/** The numbers of files begin here. */
const PROBES = 1_000_000;

/** A run that takes so many times as long as without a mutant hangs, and a hang is found. */
const TIMEOUT_FACTOR = 6;
const TIMEOUT_MS = 20_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, '.cache/mutants');
const tree = join(cache, 'tree');

const USAGE = `npm run mutants                            200 mutants; the report is .cache/mutants/report.json
npm run mutants -- --seed 7 --count 50     other ones
npm run mutants -- --project unit          with unit tests only
npm run mutants -- --tests test/access     with the test files whose path matches
npm run mutants -- --jobs 1                one at a time instead of two
npm run mutants -- --resume                continues a run that was interrupted
npm run mutants -- --survivors             repeats those that were not found, for example after writing tests
npm run mutants -- --survivors --full      also with the tests of \`npm run test:full\`
npm run mutants -- --only 17               repeats one, and prints what failed
npm run mutants -- --list                  prints them

test/mutants.json lists mutants that change nothing that a test could see, each with the reason.`;

const options = readOptions({
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '200' },
  jobs: { type: 'string', default: '2' },
  project: { type: 'string' },
  tests: { type: 'string', default: '' },
  only: { type: 'string' },
  list: { type: 'boolean' },
  resume: { type: 'boolean' },
  survivors: { type: 'boolean' },
  full: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
});

const all = ROOMS.map((room) => mutantsOf(room));
const mutants = pick(all, Number(options.count), random(Number(options.seed)));
const excuses = JSON.parse(readFileSync(join(root, 'test/mutants.json'), 'utf8'));
const files = filesIn('src', '.ts').filter((file) => !file.startsWith('src/console/'));
const key = digest(JSON.stringify(mutants));

function readOptions(known) {
  let given;
  try {
    given = parseArgs({ options: known }).values;
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
  if (given.help) {
    console.log(USAGE);
    process.exit();
  }
  return given;
}

async function main() {
  setPriority(10);
  const temporary = mkdtempSync(join(tmpdir(), 'mu-')); // short, since paths of sockets are
  chmodSync(temporary, 0o755); // PostgreSQL and Apache run as users of their own
  const jobs = Array.from({ length: Number(options.jobs) }, () => new Job(temporary));
  process.on('exit', () => {
    for (const job of jobs) job.kill();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  copyTree();
  const reach = await recordReach(jobs);
  const results = await tryMutants(jobs, reach);
  report(results);
  process.exit();
}

// --- Which mutants

function mutantsOf(room) {
  return filesIn(`src/${room}`, '.ts').flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return findMutants(file, source).map((mutant) => ({ ...mutant, room, source }));
  });
}

function filesIn(folder, ending) {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => join(folder, name));
}

/** As many of each room, in random order; the first of them do not depend on how many are wanted. */
function pick(rooms, count, next) {
  const shuffled = rooms.map((list) =>
    list.map((mutant) => ({ mutant, rank: next() })).toSorted((a, b) => a.rank - b.rank),
  );
  const turns = shuffled.flatMap((list, room) => list.map(({ mutant }, turn) => ({ mutant, turn, room })));
  return turns
    .toSorted((a, b) => a.turn - b.turn || a.room - b.room)
    .slice(0, count)
    .map(({ mutant }, index) => ({ ...mutant, number: index + 1 }));
}

/** mulberry32 */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function describe({ number, file, place, change }) {
  return `${number}  ${file}:${place}  ${change}`;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

// --- The copy

function copyTree() {
  mkdirSync(tree, { recursive: true });
  for (const name of readdirSync(tree))
    if (name !== 'dist' && name !== 'node_modules') rmSync(join(tree, name), { recursive: true });
  for (const file of git('ls-files', '--cached', '--others', '--exclude-standard'))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(tree, file));
  symlinkSync(join(root, '.cache'), join(tree, '.cache'));
  linkPackages();
  const probed = new Set(mutants.flatMap((mutant) => (mutant.isStatic ? usersOf(mutant.file) : [])));
  for (const file of new Set([...mutants.map((mutant) => mutant.file), ...probed])) {
    const source = readFileSync(join(root, file), 'utf8');
    const chosen = mutants.filter((mutant) => mutant.file === file);
    const probes = probed.has(file) ? findProbes(file, source, probeOf(file)) : [];
    writeFileSync(join(tree, file), withMutants(source, [...chosen, ...probes]));
  }
  const built = join(tree, 'dist/mutants');
  const sourceKey = digest(key + git('ls-files', '-s', 'src', 'scripts') + git('diff', 'HEAD', '--', 'src', 'scripts'));
  if (existsSync(built) && readFileSync(built, 'utf8') === sourceKey) return;
  execFileSync(process.execPath, [join(tree, 'scripts/build.mjs'), '--noCheck'], { stdio: 'inherit' });
  // Types as they are: those of a constant would also have the values of its mutants.
  for (const file of filesIn('dist', '.d.ts')) cpSync(join(root, file), join(tree, file));
  writeFileSync(built, sourceKey);
}

/** Links the installed packages; those that are links into the checkout lead to the copy. */
function linkPackages() {
  const target = join(tree, 'node_modules');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  for (const entry of readdirSync(join(root, 'node_modules'), { withFileTypes: true })) {
    const installed = join(root, 'node_modules', entry.name);
    if (entry.isSymbolicLink())
      symlinkSync(entry.name === 'everywire' ? '..' : '../examples', join(target, entry.name));
    else if (entry.name === '.bin' || !entry.name.startsWith('.')) symlinkSync(installed, join(target, entry.name));
  }
  for (const folder of ['test', 'test/conformance', 'test/generators', 'test/embedding', 'examples/shop', 'bench'])
    if (existsSync(join(root, folder, 'node_modules')))
      symlinkSync(join(root, folder, 'node_modules'), join(tree, folder, 'node_modules'));
}

function git(...parameters) {
  return execFileSync('git', parameters, { cwd: root, maxBuffer: 2 ** 28 })
    .toString()
    .split('\n')
    .filter(Boolean);
}

// --- Running tests

/** A process that runs tests (mutants/run-tests.mjs), one message at a time. It is killed if they hang. */
class Job {
  static #count = 0;
  #name = `${process.pid}-${Job.#count++}`;
  #temporary;
  #child;

  constructor(temporary) {
    this.#temporary = temporary;
  }

  /** Undefined after the timeout. */
  async send(message, timeout) {
    const started = this.#child ?? (await this.#start());
    const answered = new Promise((resolve) => {
      started.once('message', resolve);
      started.once('exit', () => resolve({ failure: { file: message.tests?.[0].file, test: 'vitest ended' } }));
    });
    started.send(message);
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, timeout)));
    const answer = await Promise.race([answered, late]);
    clearTimeout(timer);
    started.removeAllListeners();
    if (answer === undefined || started.exitCode !== null) this.kill();
    else this.#killProcesses(`EVERYWIRE_MUTANT=${message.env?.EVERYWIRE_MUTANT}`);
    return answer;
  }

  async #start() {
    const env = { ...process.env, TMPDIR: this.#temporary, EVERYWIRE_MUTANTS_JOB: this.#name };
    if (options.full) env['EVERYWIRE_FULL'] = '1';
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'];
    this.#child = fork(join(tree, 'scripts/mutants/run-tests.mjs'), [], { cwd: tree, env, stdio });
    await new Promise((resolve) => this.#child.once('message', resolve));
    return this.#child;
  }

  kill() {
    this.#killProcesses();
    this.#child = undefined;
  }

  /** Kills the processes of this job that have this variable, or all: tests that fail may leave some. */
  #killProcesses(variable) {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        const environment = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
        if (!environment.includes(`EVERYWIRE_MUTANTS_JOB=${this.#name}`)) continue;
        if (!variable || environment.includes(variable)) process.kill(Number(id), 'SIGKILL');
      } catch {} // has ended
  }
}

/** Runs `work` with each item, in as many jobs. */
async function inJobs(jobs, items, work) {
  const queue = [...items];
  await Promise.all(
    jobs.map(async (job) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(job, item);
    }),
  );
}

/** Which tests reach which mutants and files, by test file. Those that have not changed are not run again. */
async function recordReach(jobs) {
  const store = join(cache, `reach-${key}${options.full ? '-full' : ''}.json`);
  const known = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
  const testFiles = (await jobs[0].send({}, 60_000)).filter(
    ({ project, file }) =>
      (!options.project || project === options.project) &&
      new RegExp(options.tests).test(file) &&
      (options.full || !file.endsWith('.full.test.ts')),
  );
  const hashes = new Map(testFiles.map(({ file }) => [file, digest(readFileSync(join(tree, file), 'utf8'))]));
  const missing = testFiles.filter(({ file }) => known[file]?.hash !== hashes.get(file) || known[file].failure);
  const log = join(cache, 'reached');
  mkdirSync(log, { recursive: true });
  let done = 0;
  await inJobs(jobs, missing, async (job, { file, project }) => {
    const path = join(log, file.replaceAll('/', '+'));
    rmSync(path, { force: true });
    const started = Date.now();
    const env = { EVERYWIRE_REACHED: path, EVERYWIRE_MUTANT: null };
    const answer = await job.send({ env, tests: [{ file }], isolate: true }, 600_000);
    const failure = answer ? answer.failure?.test : 'takes too long';
    if (failure) console.log(`not used: ${file} fails without a mutant: ${failure}`);
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
    const reached = {};
    for (const [number, id] of lines.map((line) => line.split(' '))) (reached[number] ??= []).push(id);
    known[file] = { hash: hashes.get(file), project, ms: Date.now() - started, failure, reached };
    writeFileSync(store, JSON.stringify(known));
    if (process.stdout.isTTY) process.stdout.write(`\r${++done} of ${missing.length} test files`);
  });
  return testFiles.map(({ file }) => ({ file, ...known[file] })).filter(({ failure }) => !failure);
}

// --- The verdicts

async function tryMutants(jobs, reach) {
  const path = join(cache, 'report.json');
  const last = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const isKept = ({ status }) => options.resume || options.only || (options.survivors && status.startsWith('found'));
  const results = new Map(last.key === key ? last.results.filter(isKept).map((result) => [result.number, result]) : []);
  const wanted = options.only
    ? mutants.filter(({ number }) => number === Number(options.only))
    : mutants.filter(({ number }) => !results.has(number));
  const kills = {};
  await inJobs(jobs, wanted, async (job, mutant) => {
    const { number, room, file, place, line, change } = mutant;
    const excuse = options.only ? undefined : excuses.find((one) => isOf(one, mutant));
    const verdict = excuse
      ? { status: 'equivalent', reason: excuse.reason }
      : await tryMutant(job, mutant, reach, kills);
    const result = { number, room, file, place, line, change, ...verdict };
    results.set(number, result);
    const { status, by, test, reason } = result;
    console.log(
      [status.padEnd(11), describe(mutant), by && `by ${by}`, options.only && test, reason].filter(Boolean).join('  '),
    );
    writeFileSync(path, JSON.stringify({ key, seed: options.seed, results: [...results.values()] }, undefined, 1));
  });
  return [...results.values()].toSorted((a, b) => a.number - b.number);
}

/** Unit tests first, together in one process; then those of the built package, each in its own. */
async function tryMutant(job, mutant, reach, kills) {
  const { number } = mutant;
  const probes = mutant.isStatic && !options.only ? usersOf(mutant.file).map(probeOf) : [number];
  const reaching = reach
    .map((one) => ({ ...one, ids: [...new Set(probes.flatMap((probe) => one.reached[probe] ?? []))] }))
    .filter(({ reached, ids }) => reached[number] && ids.length > 0)
    .toSorted((a, b) => a.ms / (1 + (kills[a.file] ?? 0)) - b.ms / (1 + (kills[b.file] ?? 0)));
  const env = { EVERYWIRE_MUTANT: String(number), EVERYWIRE_REACHED: null };
  const found = (file, test) => {
    kills[file] = (kills[file] ?? 0) + 1;
    return { status: options.full ? 'found (full)' : 'found', by: file, test };
  };
  for (const project of ['unit', 'built', 'measured']) {
    const isolate = project !== 'unit';
    for (let rest = reaching.filter((one) => one.project === project); rest.length > 0;) {
      // A test that is not in this process may have been reached by any of its file.
      const tests = rest.map(({ file, ids }) => ({ file, ids: isolate || ids.includes('') ? undefined : ids }));
      const ms = rest.reduce((sum, one) => sum + one.ms, 0);
      const answer = await job.send({ env, tests, isolate }, TIMEOUT_MS + ms * TIMEOUT_FACTOR);
      if (!answer) return found(rest[0].file, 'hangs');
      if (!answer.failure) break;
      const { file, id, test } = answer.failure;
      // On a busy machine, some tests fail without a reason: it must fail again, and pass without the mutant.
      const fails = async (variables) => {
        const again = await job.send({ env: variables, tests: [{ file, ids: id && [id] }], isolate }, 600_000);
        return !again || again.failure !== undefined;
      };
      if ((await fails(env)) && !(await fails({ ...env, EVERYWIRE_MUTANT: '0' }))) return found(file, test);
      rest = rest.slice(rest.findIndex((one) => one.file === file) + 1);
    }
  }
  return { status: reaching.length > 0 ? 'survived' : 'not reached' };
}

/**
 * What is evaluated when a module is loaded is reached by every test that loads it. Only those are tried that run a function
 * of that file, or of one that imports it.
 */
function usersOf(file) {
  return files.filter((user) => user === file || importsOf(user).has(file));
}

function probeOf(file) {
  return PROBES + files.indexOf(file);
}

function importsOf(file) {
  const imports = readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) (?!type).* from '(\..*)';/gm);
  return new Set([...imports].map(([, path]) => join(dirname(file), path)));
}

function isOf(excuse, { file, line, change }) {
  return excuse.file === file && excuse.line === line && excuse.change === change;
}

function report(results) {
  for (const excuse of excuses)
    if (!all.flat().some((mutant) => isOf(excuse, mutant)))
      console.log(`test/mutants.json: nothing is like ${excuse.file}: ${excuse.line}`);
  const rows = [...ROOMS, 'all'].map((room) => {
    const of = results.filter((result) => room === 'all' || result.room === room);
    const count = (status) => of.filter((result) => result.status === status).length;
    const [found, equivalent] = [count('found'), count('equivalent')];
    const row = {
      found,
      full: count('found (full)'),
      survived: count('survived'),
      'not reached': count('not reached'),
      equivalent,
    };
    return [room, { ...row, score: `${((100 * found) / (of.length - equivalent)).toFixed(1)} %` }];
  });
  console.table(Object.fromEntries(rows));
}

if (options.list) for (const mutant of mutants) console.log(describe(mutant));
else await main();
