import { SUMS } from '../measure/job.mjs';
import { REVISIONS, callOf, proveMcp } from '../measure/mcp.mjs';
import { StdioServer } from '../measure/stdio.mjs';
import { stdioContenders } from '../measure/stdio-contenders.mjs';
import { inTurns } from '../measure/turns.mjs';
import { usageOf } from '../measure/usage.mjs';
import { MCP_LITE, onlyOld } from '../report/left-out.mjs';
import { serverTable } from '../report/server-table.mjs';

const IN_FLIGHT = { pipelined: 64, sequential: 1 };

export const mcpStdio = {
  title: 'MCP over stdio',
  packages: [
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/sdk',
    'fastmcp',
    'tmcp',
    '@tmcp/transport-stdio',
    'zod',
  ],

  async measure(settings) {
    const contenders = stdioContenders();
    const measured = {};
    for (const revision of REVISIONS) {
      const speakers = contenders.filter(({ revisions }) => revisions.includes(revision));
      measured[revision] = {};
      for (const [mode, inFlight] of Object.entries(IN_FLIGHT)) {
        measured[revision][mode] = await inTurns(speakers, settings.rounds, (contender) =>
          measureStdio(contender, revision, inFlight, settings),
        );
      }
    }
    return measured;
  },

  tables: (measured) =>
    REVISIONS.flatMap((revision) =>
      Object.entries(measured[revision]).map(([mode, servers]) => {
        const caption = `tools/call of ${revision}, ${mode} (${IN_FLIGHT[mode]} under way)`;
        const present = servers.map(({ name }) => name);
        const others = measured['2025-11-25'][mode].filter(({ name }) => !present.includes(name));
        return serverTable(caption, servers, [...others.map(onlyOld), MCP_LITE]);
      }),
    ),
};

/** One contender, once, in a fresh process: proved, warmed up, measured, and proved again. */
async function measureStdio({ name, args }, revision, inFlight, { warmup, seconds }) {
  const server = new StdioServer(name, args);
  try {
    const prove = () => proveMcp(name, revision, (message) => server.ask(message));
    const message = callOf(revision, 1, SUMS.at(-1));
    await server.greet(revision);
    await prove();
    await server.flood(message, inFlight, (answers) => answers >= warmup / 4);
    const before = usageOf(server.pid);
    const { requests, elapsed } = await server.flood(message, inFlight, (_, passed) => passed >= seconds);
    const after = usageOf(server.pid);
    await prove();
    const cpu = after.cpu - before.cpu;
    return { rate: requests / elapsed, cpu: cpu / requests, rss: after.rss, busy: cpu / 1e6 / elapsed };
  } finally {
    await server.stop();
  }
}
