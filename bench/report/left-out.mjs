/** Why a contender is missing from a table, to be said below it. */
export const onlyOld = ({ name }) => `${name} is left out: it does not speak 2026-07-28.`;

export const MCP_LITE =
  'mcp-lite 0.10.0 is left out: it speaks 2025-03-26 and 2025-06-18, refuses any later revision, and has no stdio.';
