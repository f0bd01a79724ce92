// Prints docs/codes.md from the table in the code; a test compares the two.
import { codes } from 'everywire';

const channel = (mcp) => (mcp === 'result' ? 'tool result' : mcp === 'none' ? 'no answer' : `JSON-RPC ${mcp}`);

const rows = Object.entries(codes).map(
  ([code, { status, mcp, exit, retry, when }]) =>
    `| \`${code}\` | ${when} | ${status} | ${channel(mcp)} | ${exit} | ${retry ? 'yes' : 'no'} |`,
);

console.log(`# Codes

Every failure has a code, and its code says how it leaves on each wire. The table is \`codes\` of
\`everywire\`; this page is made from it by \`node scripts/document-codes.mjs > docs/codes.md\`.

| code | when | HTTP | MCP | exit | retry |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

The columns MCP and exit apply to failures that the framework itself reports. A code that an author raises, in the table
or not, is a tool result with exit code 1. Its HTTP status is the one its function declares for it, else the one in the
table, else 422.`);
