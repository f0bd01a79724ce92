import { afterAll } from 'vitest';
import type { Behaviour } from './every-wire.ts';
import { expectErrors } from './kit/errors.ts';
import { runBehaviours } from './run-behaviours.ts';
import { cgiProcessWire, cgiWire } from './wires/cgi.ts';
import { cliProcessWire, cliWire } from './wires/cli.ts';
import { expressWire } from './wires/express.ts';
import { fetchWire, httpWire } from './wires/http.ts';
import { mcpWires } from './wires/mcp.ts';
import { processWire } from './wires/process.ts';
import { rawMcpWires } from './wires/raw-mcp.ts';
import { httpFormWire, httpGetWire } from './wires/url-encoded.ts';
import { unixSocketWire } from './wires/unix-socket.ts';

// Functions that fail in unexpected ways, or answer what their schema does not allow.
expectErrors(/"operationId":"functions\.(?:Text|Mumble|CountThenLie|BadContent|Inner|CallsThrowing|CallsWrongly)"/);

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
// A process for each call is slow, and differs only in how a command gets its bytes: a sample is enough, and
// what prints.
const isFull = process.env['EVERYWIRE_FULL'] === '1';
const isSampled = (index: number, behaviour: Behaviour) => isFull || index % 10 === 0 || behaviour.function === 'Print';
for (const wire of [cliProcessWire, cgiProcessWire]) runBehaviours(wire, undefined, isSampled);
// The servers are shared with MCP, and so stay until all are done.
runBehaviours(httpWire, () => undefined);
afterAll(() => httpWire.close?.());
