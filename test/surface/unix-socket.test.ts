import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApp, type AuditRecord } from 'everywire';
import { expect, it } from 'vitest';
import { createLineServer } from '../../examples/unix-socket/wire.ts';
import { modules } from '../every-wire.ts';
import { fn, object, string, untilCancelled } from '../kit/functions.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { exchange } from '../wires/unix-socket.ts';

// The wire of docs/extending.md. That it carries the same bytes as every other is in behaviours.test.ts.

const folder = temporaryFolder('unix-socket');

let cancelled: () => void;
const wasCancelled = new Promise<void>((resolve) => (cancelled = resolve));
const wait = fn('Wait', {}, (_, context) => untilCancelled(context).then(() => cancelled()));
const echo = fn('Echo', { input: object({ text: string }), output: string }, ({ text }) => text);

const records: AuditRecord[] = [];
const audit = { to: (record: AuditRecord) => void records.push(record) };
const app = createApp({ name: 'Lines', version: '1', functions: [wait, echo], audit });

/** A connection to the app, and the lines that it sends. */
async function connected(name: string) {
  const server = createLineServer(app).listen(join(folder, `${name}.sock`));
  await once(server, 'listening');
  const socket = connect(server.address() as string);
  const responses: string[] = [];
  createInterface(socket).on('line', (line) => responses.push(line));
  const stop = () => {
    socket.destroy();
    server.close();
  };
  return { socket, responses, stop };
}

it('is the file that docs/extending.md shows', () => {
  expect(readFileSync('docs/extending.md', 'utf8')).toContain(
    `\`\`\`ts\n${readFileSync('examples/unix-socket/wire.ts', 'utf8')}\`\`\``,
  );
});

it(proves('wire.own', 'runs as a program'), async () => {
  const path = join(folder, 'calculator.sock');
  const program = join('examples', 'unix-socket', 'serve.ts');
  const child = spawn(process.execPath, ['node_modules/.bin/jiti', program, modules.calculator, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(createInterface(child.stderr), 'line');
  expect(await exchange(path, '{"id":7,"function":"Add","arguments":{"x":10,"y":"20"}}')).toBe(
    '{"id":7,"code":"OK","body":{"result":30}}',
  );
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(path)).toBe(false);
});

it('answers the requests of one connection as they end, however they are split into chunks', async () => {
  const { socket, responses, stop } = await connected('chunks');
  const sent = Buffer.from(
    '{"id":"w","function":"Wait"}\n{"id":"e","function":"Echo","arguments":{"text":"ü😀"}}\nnonsense\n{"id":{}}\n',
  );
  for (const byte of sent) {
    socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect
    .poll(() => responses)
    .toEqual([
      '{"id":"e","code":"OK","body":{"result":"ü😀"}}',
      '{"id":null,"code":"INVALID_JSON","body":{"error":"Invalid JSON body"}}',
      '{"id":null,"code":"BAD_REQUEST","body":{"error":"A request has an id, the name of a function and perhaps a profile"}}',
    ]);
  expect(records.map(({ wire, operationId }) => `${wire} ${operationId}`)).toContain('unix-socket functions.Echo');
  stop();
  await wasCancelled;
});

it('goes on after a line that is too long', async () => {
  const { socket, responses, stop } = await connected('long');
  socket.write(`{"id":1,"function":"Echo","arguments":{"text":"${'x'.repeat(3_000_000)}"}}\n`);
  socket.write('{"id":2,"function":"Echo","arguments":{"text":"short"},"profile":"status"}\n');
  await expect
    .poll(() => responses)
    .toEqual([
      '{"id":null,"code":"PAYLOAD_TOO_LARGE","body":{"error":"The body is larger than 1048576 bytes"}}',
      '{"id":2,"code":"OK","body":{"status":"SUCCESS","data":"short"}}',
    ]);
  stop();
});
