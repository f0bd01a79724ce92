import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { proveCgi, timedSum } from '../measure/cgi.mjs';
import { scratch } from '../measure/children.mjs';
import { build, command, contender } from '../measure/everywire.mjs';
import { REVISIONS } from '../measure/mcp.mjs';
import { runToEnd } from '../measure/run-to-end.mjs';
import { StdioServer } from '../measure/stdio.mjs';
import { stdioContenders } from '../measure/stdio-contenders.mjs';
import { inTurns } from '../measure/turns.mjs';

const EMPTY = { name: 'node -e 0', args: ['-e', '0'] };

const IMPORTED = [
  ['everywire'],
  ['everywire', 'everywire/node'],
  ['@modelcontextprotocol/server'],
  ['@modelcontextprotocol/sdk/server/mcp.js'],
  ['fastmcp'],
  ['tmcp', '@tmcp/adapter-zod'],
  ['fastify'],
  ['hono', '@hono/node-server'],
  ['express'],
  ['@orpc/server', '@orpc/openapi/node'],
  ['@trpc/server', '@trpc/server/adapters/standalone'],
  ['zod'],
];

export const startUp = {
  title: 'Start-up',
  how: ({ starts }) => `Starts: ${starts} of each; medians.`,
  packages: [
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/sdk',
    'fastmcp',
    'tmcp',
    'fastify',
    'hono',
    'express',
    '@orpc/server',
    '@trpc/server',
    'zod',
  ],

  async measure({ starts }) {
    return { cgi: await measureCgi(starts), mcp: await measureMcp(starts), imports: await measureImports(starts) };
  },

  tables: ({ cgi, mcp, imports }) => [
    wallTable('One request over CGI, from the start of the process to its end', cgi),
    ...REVISIONS.map((revision) =>
      wallTable(`MCP over stdio, ${revision}: from the start of the process to its first answer`, mcp[revision]),
    ),
    wallTable('A process that imports a package and ends', imports),
  ],
};

async function measureCgi(starts) {
  const source = [command, 'cgi', contender('app.mjs')];
  const typescript = [command, 'cgi', contender('app-zod.ts')];
  const scripts = [
    { name: 'hand-written', args: [contender('cgi-by-hand.cjs')], env: keptCache() },
    { name: 'everywire, built', args: [build('app.mjs'), 'cgi'], env: keptCache() },
    { name: 'everywire, built as a module', args: [build('app.mjs', 'mjs'), 'cgi'], env: keptCache() },
    { name: 'everywire, source, warm cache', args: source, env: keptCache() },
    { name: 'everywire, zod, built', args: [build('app-zod.ts'), 'cgi'], env: keptCache() },
    { name: 'everywire, zod, TypeScript, warm cache', args: typescript, env: keptCache() },
  ];
  const cold = [
    { name: 'everywire, source, cold cache', args: source, env: freshCache },
    { name: 'everywire, zod, TypeScript, cold cache', args: typescript, env: freshCache },
  ];
  for (const script of scripts) await proveCgi(script); // which fills the caches that are to be warm
  return inTurns([EMPTY, ...scripts, ...cold], starts, async (script) => ({
    wall: script === EMPTY ? (await runToEnd(EMPTY.args)).wall : await timedSum(script),
  }));
}

async function measureMcp(starts) {
  const contenders = stdioContenders();
  const measured = {};
  for (const revision of REVISIONS) {
    const speakers = contenders.filter(({ revisions }) => revisions.includes(revision));
    measured[revision] = await inTurns([EMPTY, ...speakers], starts, (speaker) =>
      speaker === EMPTY ? timed(EMPTY.args) : timedGreeting(speaker, revision),
    );
  }
  return measured;
}

function measureImports(starts) {
  const programs = IMPORTED.map((names) => ({
    name: names.join(' + '),
    args: ['--input-type=module', '-e', names.map((name) => `import '${name}';`).join('\n')],
  }));
  return inTurns([EMPTY, ...programs], starts, ({ args }) => timed(args));
}

async function timed(args) {
  const { wall } = await runToEnd(args);
  return { wall };
}

async function timedGreeting({ name, args }, revision) {
  const start = performance.now();
  const server = new StdioServer(name, args);
  try {
    await server.greet(revision);
    return { wall: performance.now() - start };
  } finally {
    await server.stop();
  }
}

/** An empty folder for what is kept from one start to the next. */
function freshCache() {
  const folder = mkdtempSync(join(scratch, 'cache-'));
  return { XDG_CACHE_HOME: folder, TMPDIR: folder }; // Node keeps what it has compiled in the latter
}

function keptCache() {
  const cache = freshCache();
  return () => cache;
}

function wallTable(caption, measured) {
  const [empty] = measured;
  const rows = measured.map(({ name, wall }) => [
    name,
    wall.toFixed(0),
    (wall - empty.wall).toFixed(0),
    (wall / empty.wall).toFixed(2),
  ]);
  return { caption, head: ['', 'ms', `ms over ${empty.name}`, 'ratio'], rows };
}
