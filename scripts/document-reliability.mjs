// Makes docs/reliability.md from test/reliability/figures.json, which has what each net printed when it last ran.
//   node scripts/document-reliability.mjs              runs all nets, writes their figures and the page
//   node scripts/document-reliability.mjs parity …     runs these only
//   node scripts/document-reliability.mjs --print      runs nothing, prints the page; a test compares the two
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every net reports under its name (`report` of test/reliability/figures.ts). */
const nets = [
  {
    name: 'work-per-byte',
    title: 'A budget of work per byte',
    does: 'Inputs that grow by doubling, of every kind of schema, on every wire. Time and answer grow no faster than n·log n, 1 KiB blocks the event loop for no more than 20 ms, and no request takes many times as long as its JSON.',
    command: 'npx vitest run test/reliability/work-per-byte.test.ts',
  },
  {
    name: 'verdicts',
    title: 'Two opinions on every verdict',
    does: 'Generated schemas over all keywords and generated values, judged by our engine and by ajv. Every difference has a name and a reason.',
    command: 'npx vitest run test/schema/two-opinions.test.ts',
  },
  {
    name: 'official',
    title: 'The official JSON Schema tests',
    does: 'The required tests of draft 2020-12 of JSON-Schema-Test-Suite, which is not part of this repository: `JSON_SCHEMA_TEST_SUITE` names its folder. What uses remote references, references relative to an `$id` or `$dynamicRef` must be refused in a sentence when the app is built.',
    command: 'npx vitest run test/schema/official-suite.test.ts',
  },
  {
    name: 'callbacks',
    title: 'Every callback is guarded',
    does: "Each place where an author's code is called throws, rejects, hangs and returns nonsense, on every wire that reaches it.",
    command: 'npx vitest run test/callbacks.test.ts',
  },
  {
    name: 'messages',
    title: 'Every message is answered',
    does: 'Generated JSON-RPC messages on stdio and over HTTP, in both revisions. Each request gets exactly one answer, and the next call is right.',
    command: 'npx vitest run test/mcp/every-message.test.ts',
  },
  {
    name: 'leaks',
    title: 'Nothing stays',
    does: 'Calls, failures, aborts, refused handshakes, sessions, subscriptions and elicitations. Heap, listeners, timers, sockets and descriptors do not grow. This is the short form; `npm run leaks` does 10,000 of each, with a finer measure.',
    command: 'npx vitest run test/leaks',
  },
  {
    name: 'parity',
    title: 'Same call, same answer',
    does: 'Generated functions and generated arguments on all wires, compared to the byte. 5,000 calls run in `npm test`.',
    command: 'npm run parity',
  },
  {
    name: 'matrix',
    title: 'Every supported Node.js',
    does: 'The whole suite on Node.js 20, 22, 24 and 26.',
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
  const unknown = wanted.filter((name) => !nets.some((net) => net.name === name));
  if (unknown.length > 0) {
    console.error(`No such net: ${unknown.join(', ')}. There are ${nets.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  for (const net of nets) if (wanted.length === 0 || wanted.includes(net.name)) measured[net.name] = run(net);
  writeFileSync(FIGURES, `${JSON.stringify(measured, null, 2)}\n`);
  writeFileSync(PAGE, page());
  const failed = nets.filter(({ name }) => measured[name]?.passed === false);
  for (const { name, command } of failed) console.error(`${name} failed: ${command}`);
  process.exit(failed.length > 0 ? 1 : 0);
}

/** Runs a net, and reads what it reported. */
function run({ name, command }) {
  const folder = mkdtempSync(join(tmpdir(), 'everywire-figures-'));
  try {
    const env = { ...process.env, EVERYWIRE_FIGURES: folder };
    const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env });
    const file = join(folder, `${name}.json`);
    const figures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).figures : {};
    // The matrix has the versions among its figures.
    return { passed: status === 0, ...(name !== 'matrix' && { node: process.version }), figures };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function page() {
  const sections = nets.map(({ name, title, does, command }) => {
    return `## ${title}\n\n${does}\n\n\`\`\`sh\n${command}\n\`\`\`\n\n${outcome(measured[name])}`;
  });
  return `# Reliability

Each of these tests is a net: it looks for a whole class of defects, not for one that is known. All of them but the last run
in \`npm test\`. The figures are what they printed when they last ran; this page is made from them by
\`node scripts/document-reliability.mjs\`, which runs them.

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
