import { build, command, contender } from './everywire.mjs';
import { REVISIONS } from './mcp.mjs';

const OLD_ONLY = ['2025-11-25'];

/** Who speaks MCP on stdio, and which revisions. */
export const stdioContenders = () => [
  { name: 'hand-written', args: [contender('mcp-stdio/hand-written.mjs')], revisions: REVISIONS },
  { name: 'everywire, source', args: [command, 'mcp', contender('app.mjs')], revisions: REVISIONS },
  { name: 'everywire, built', args: [build('app.mjs'), 'mcp'], revisions: REVISIONS },
  { name: 'official SDK v2', args: [contender('mcp-stdio/sdk-v2.mjs')], revisions: REVISIONS },
  { name: 'tmcp', args: [contender('mcp-stdio/tmcp.mjs')], revisions: REVISIONS },
  { name: 'official SDK v1', args: [contender('mcp-stdio/sdk-v1.mjs')], revisions: OLD_ONLY },
  { name: 'FastMCP', args: [contender('mcp-stdio/fastmcp.mjs')], revisions: OLD_ONLY },
];
