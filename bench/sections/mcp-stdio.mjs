import { SUMS } from '../measure/job.mjs';
import { REVISIONS, callOf, proveMcp } from '../measure/mcp.mjs';
import { StdioServer } from '../measure/stdio.mjs';
import { stdioContenders } from '../measure/stdio-contenders.mjs';
import { inTurns } from '../measure/turns.mjs';
import { costOf, usageOf } from '../measure/usage.mjs';
import { MCP_LITE, onlyOld } from '../report/left-out.mjs';
import { serverTable } from '../report/server-table.mjs';

const IN_FLIGHT = { pipelined: 64, sequential: 1 };

export const mcpStdio = {
  title: 'MCP over stdio',
  how: ({ rounds, seconds }) =>
    `Rounds: ${rounds} of ${seconds} s; medians. Servers are started as clients written in Node start them, with sockets ` +
    'for pipes; the processes of a server are counted together.',
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
      measured[revision] = await inTurns(speakers, settings.rounds, (contender) =>
        measureStdio(contender, revision, settings),
      );
    }
    return measured;
  },

  tables: (measured) =>
    REVISIONS.flatMap((revision) =>
      Object.entries(IN_FLIGHT).map(([mode, inFlight]) => {
        const caption = `tools/call of ${revision}, ${mode} (${inFlight} under way)`;
        const speakers = new Set(measured[revision].map(({ name }) => name));
        const others = measured['2025-11-25'].filter(({ name }) => !speakers.has(name));
        return serverTable(caption, inMode(measured[revision], mode), [...others.map(onlyOld), MCP_LITE]);
      }),
    ),
};

/** What servers cost when they are asked in one of the ways. */
export const inMode = (servers, mode) => servers.map(({ name, [mode]: cost }) => ({ name, ...cost }));

/** One contender, once, in a fresh process: proved, warmed up, measured in each mode, and proved again. */
async function measureStdio({ name, args }, revision, { warmup, seconds }) {
  const server = new StdioServer(name, args);
  try {
    const prove = () => proveMcp(name, revision, (message) => server.ask(message));
    const message = callOf(revision, 1, SUMS.at(-1));
    await server.greet(revision);
    await prove();
    await server.flood(
      message,
      IN_FLIGHT.pipelined,
      (answers, passed) => answers >= warmup.requests || passed >= warmup.seconds,
    );
    const costs = {};
    for (const [mode, inFlight] of Object.entries(IN_FLIGHT)) {
      const before = usageOf(server.pid);
      const { requests, elapsed } = await server.flood(message, inFlight, (_, passed) => passed >= seconds);
      costs[mode] = costOf(before, usageOf(server.pid), requests, elapsed);
    }
    await prove();
    return costs;
  } finally {
    await server.stop();
  }
}
