import { afterAll } from 'vitest';
import { runBehaviours } from './run-behaviours.ts';
import { cgiWire } from './wires/cgi.ts';
import { cliWire } from './wires/cli.ts';
import { expressWire } from './wires/express.ts';
import { fetchWire } from './wires/fetch.ts';
import { httpWire } from './wires/http.ts';
import { mcpWires } from './wires/mcp.ts';
import { processWire } from './wires/process.ts';
import { rawMcpWires } from './wires/raw-mcp.ts';
import { httpFormWire, httpGetWire } from './wires/url-encoded.ts';
import { unixSocketWire } from './wires/unix-socket.ts';

for (const wire of [
  processWire,
  fetchWire,
  httpGetWire,
  httpFormWire,
  expressWire,
  ...mcpWires,
  ...rawMcpWires,
  cliWire,
  cgiWire,
  unixSocketWire,
]) {
  runBehaviours(wire);
}
// The servers are shared with MCP, and so stay until all are done.
runBehaviours(httpWire, () => undefined);
afterAll(() => httpWire.close?.());
