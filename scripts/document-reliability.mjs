// Generates docs/reliability.md from test/reliability/figures.json, which stores what each test reported when it last ran.
//   node scripts/document-reliability.mjs              runs all tests, stores their figures and writes the page
//   node scripts/document-reliability.mjs parity …     runs only the named ones
//   node scripts/document-reliability.mjs --print      runs nothing, prints the page; a test compares them
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each test reports its figures under its name (`report` of test/reliability/figures.ts). */
const checks = [
  {
    name: 'work-per-byte',
    title: 'Work per byte',
    does: 'Sends inputs of doubling size, for every kind of schema, on every wire. The time and the size of the response grow no faster than n·log n, 1 KiB blocks the event loop for at most 20 ms, and no request takes many times as long as parsing its JSON. `npm test` sends smaller inputs of each kind on some wires.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/reliability/work-per-byte.test.ts',
  },
  {
    name: 'verdicts',
    title: 'Two validators, one verdict',
    does: 'Generates schemas with all keywords, and values for them, and validates with our engine and with ajv. Every difference is listed with its reason. `npm test` compares 10,000 verdicts.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/schema/against-ajv.test.ts',
  },
  {
    name: 'official',
    title: 'The official JSON Schema tests',
    does: 'Runs the required tests of JSON-Schema-Test-Suite for draft 2020-12. The suite is not part of this repository: `JSON_SCHEMA_TEST_SUITE` names its folder. Schemas with remote references, references relative to an `$id` or `$dynamicRef` must be refused with a clear message when the app is created.',
    command: 'npx vitest run test/schema/official-suite.test.ts',
  },
  {
    name: 'callbacks',
    title: 'Every callback is guarded',
    does: 'In every place where everywire calls user code, that code throws, rejects, hangs and returns nonsense, on every wire that reaches it.',
    command: 'npx vitest run test/callbacks.test.ts',
  },
  {
    name: 'messages',
    title: 'Every message is answered',
    does: 'Sends generated JSON-RPC messages on stdio and over HTTP, in both revisions. Each request gets exactly one response, and the next call works. `npm test` sends a fifth of these messages.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/mcp/every-message.test.ts',
  },
  {
    name: 'leaks',
    title: 'No leaks',
    does: 'Repeats calls, failures, aborts, refused handshakes, sessions, subscriptions and elicitations. Heap, listeners, timers, sockets and descriptors do not grow. `npm test` does 14 of each.',
    command: 'npm run leaks',
  },
  {
    name: 'parity',
    title: 'Same call, same bytes',
    does: 'Calls generated functions with generated arguments on all wires, and compares the bodies byte by byte. `npm test` makes 300 of these calls.',
    command: 'npm run parity',
  },
  {
    name: 'killed-redis',
    title: 'Workers are killed',
    does: 'Starts tasks in Redis, and kills two of four workers every second with SIGKILL until the work is nearly done. Every task must end with its own result. Each run of a function leaves a line in a ledger, so duplicates are counted: tasks are run at least once. `npm run test:full` does it with 1,500 tasks, and with 100 in PostgreSQL as well.',
    command: 'TASKS=10000 EVERYWIRE_FULL=1 npx vitest run test/tasks/survival/kill.full.test.ts -t Redis',
  },
  {
    name: 'crash-work',
    title: 'A process is killed between any two steps',
    does: 'A process that creates, runs, answers or cancels a task is killed before each of its messages to Redis in turn. What it had acknowledged is true afterwards, and another process goes on with the rest. These are the places in the run of a task.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/tasks/survival/crash.full.test.ts',
  },
  {
    name: 'redis-restart-always',
    title: 'Redis is killed',
    does: 'Kills Redis with `appendfsync always` while tasks are started, and starts it again. With `everysec`, its file is cut back by a second, as if the machine had failed: then at most the tasks of that second are lost.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/tasks/survival/restart.full.test.ts -t appendfsync',
  },
  {
    name: 'redis-away',
    title: 'Redis is away',
    does: 'Takes Redis away for a minute while tasks run. Calls are answered with `UNAVAILABLE` meanwhile, and everything goes on when it is back. In `npm test`, `test/share` and `test/rate` take it away for moments.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/tasks/survival/restart.full.test.ts -t "fail fast"',
  },
  {
    name: 'replicas',
    title: 'One of three servers is killed',
    does: 'Official MCP clients of both revisions call without a pause, through nginx in round robin, while one of three servers is killed. Only calls that were under way in it may fail, and no session is lost.',
    command: 'EVERYWIRE_FULL=1 npx vitest run test/share/replicas.full.test.ts',
  },
  {
    name: 'matrix',
    title: 'Every supported Node.js',
    does: 'Runs all tests on Node.js 20, 22, 24 and 26.',
    command: 'npm run test:matrix',
  },
];

const FIGURES = 'test/reliability/figures.json';
const PAGE = 'docs/reliability.md';

const wanted = process.argv.slice(2);
const measured = JSON.parse(readFileSync(FIGURES, 'utf8'));
if (wanted.includes('--print')) {
  process.stdout.write(page());
} else {
  const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. Available: ${checks.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  for (const check of checks) if (wanted.length === 0 || wanted.includes(check.name)) measured[check.name] = run(check);
  writeFileSync(FIGURES, `${JSON.stringify(measured, null, 2)}\n`);
  writeFileSync(PAGE, page());
  const failed = checks.filter(({ name }) => measured[name]?.passed === false);
  for (const { name, command } of failed) console.error(`${name} failed: ${command}`);
  process.exit(failed.length > 0 ? 1 : 0);
}

/** Runs a test, and reads what it reported. */
function run({ name, command }) {
  const folder = mkdtempSync(join(tmpdir(), 'everywire-figures-'));
  try {
    const env = { ...process.env, EVERYWIRE_FIGURES: folder };
    const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env });
    const file = join(folder, `${name}.json`);
    const figures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).figures : {};
    // The figures of the matrix contain the versions.
    return { passed: status === 0, ...(name !== 'matrix' && { node: process.version }), figures };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function page() {
  const sections = checks.map(({ name, title, does, command }) => {
    return `## ${title}\n\n${does}\n\n\`\`\`sh\n${command}\n\`\`\`\n\n${outcome(measured[name])}`;
  });
  return `# Reliability

After this page you know which classes of defects the tests look for, and what they last reported. Each of these tests
searches for a whole class of defects instead of one known defect. \`npm run test:full\` runs all but the last; \`npm test\` runs small versions of those that say so. This page is generated by
\`node scripts/document-reliability.mjs\`, which runs them and stores their figures.

${sections.join('\n\n')}
`;
}

function outcome(found) {
  if (!found) return 'Not measured yet.';
  const rows = Object.entries(found.figures).map(
    ([label, figure]) => `| ${label} | ${typeof figure === 'number' ? figure.toLocaleString('en') : figure} |`,
  );
  const verdict = `${found.passed ? 'Passed' : '**Failed**'}${found.node ? ` on Node.js ${found.node.slice(1)}` : ''}.`;
  return rows.length === 0 ? verdict : `${verdict}\n\n| figure | |\n| --- | --- |\n${rows.join('\n')}`;
}
