import { measureServer, CONNECTIONS } from '../measure/load.mjs';
import { REVISIONS } from '../measure/mcp.mjs';
import { proveMcpHttp } from '../measure/prove-mcp-http.mjs';
import { inTurns } from '../measure/turns.mjs';
import { MCP_LITE, onlyOld } from '../report/left-out.mjs';
import { serverTable } from '../report/server-table.mjs';

const BOTH = [
  { name: 'hand-written', file: 'mcp-http/hand-written.mjs' },
  { name: 'everywire', file: 'http/everywire.mjs' },
  { name: 'official SDK v2', file: 'mcp-http/sdk-v2.mjs' },
  { name: 'tmcp', file: 'mcp-http/tmcp.mjs' },
];

const OLD_ONLY = [
  { name: 'official SDK v1', file: 'mcp-http/sdk-v1.mjs' },
  { name: 'FastMCP', file: 'mcp-http/fastmcp.mjs' },
];

const CONTENDERS = { '2025-11-25': [...BOTH, ...OLD_ONLY], '2026-07-28': BOTH };
const LEFT_OUT = { '2025-11-25': [MCP_LITE], '2026-07-28': [...OLD_ONLY.map(onlyOld), MCP_LITE] };

export const mcpHttp = {
  title: 'MCP over HTTP',
  how: ({ rounds, seconds }) => `Rounds: ${rounds} of ${seconds} s; medians.`,
  packages: [
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/node',
    '@modelcontextprotocol/sdk',
    'fastmcp',
    'tmcp',
    '@tmcp/transport-http',
    '@hono/node-server',
    'zod',
  ],

  async measure({ rounds, warmup, seconds }) {
    const measured = {};
    for (const revision of REVISIONS) {
      const prove = (server) => proveMcpHttp(server, revision);
      measured[revision] = await inTurns(CONTENDERS[revision], rounds, (contender) =>
        measureServer(contender, prove, { warmup, seconds }),
      );
    }
    return measured;
  },

  tables: (measured) =>
    REVISIONS.map((revision) =>
      serverTable(
        `tools/call of ${revision}, without sessions, ${CONNECTIONS} connections`,
        measured[revision],
        LEFT_OUT[revision],
      ),
    ),
};
