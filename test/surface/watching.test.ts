import { spawn } from 'node:child_process';
import { createApp, type App } from 'everywire';
import { describe, expect, it, vi } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { fn, integer, object } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';

const COMMAND = 'dist/bin/everywire.js';
const APP = 'examples/calculator/app.ts';

const add = fn('Add', { input: object({ x: integer }), output: integer }, ({ x }) => x + 1);

const stepsOf = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: string; message: string; wire: string; subject: string })
    .map(({ level, message, wire, subject }) => `${level} ${wire} ${message} ${subject}`);

describe('the steps of a request', () => {
  it(proves('log.steps', 'are events of the app, with the code and the duration at the end'), async () => {
    const app = createApp({ name: 'Watched', version: '1.0.0', functions: [add] });
    const seen: object[] = [];
    const stop = app.events.observe((event) => seen.push(event));
    await app.call('Add', { x: 1 });
    await app.call('Add', { x: 'one' } as never);
    await (app as App).call('Nope', {});
    stop();
    await app.call('Add', { x: 1 });
    const about = { wire: 'process', subject: 'functions.Add' };
    expect(seen).toEqual([
      { step: 'decoded', ...about },
      { step: 'called', ...about },
      { step: 'answered', ...about, code: 'OK', duration: expect.any(Number) },
      { step: 'decoded', ...about },
      { step: 'answered', ...about, code: 'INVALID_ARGUMENTS', duration: expect.any(Number) },
      { step: 'decoded', wire: 'process', subject: 'Nope' },
      { step: 'answered', wire: 'process', subject: 'Nope', code: 'FUNCTION_NOT_FOUND', duration: expect.any(Number) },
    ]);
  });

  it(proves('log.steps', 'go to the log of the app with NODE_DEBUG=everywire, without the query'), async () => {
    vi.stubEnv('NODE_DEBUG', 'http,everywire');
    const lines: string[] = [];
    const write = (message: string, fields?: object) => lines.push(`${message} ${JSON.stringify(fields)}`);
    const log = { debug: write, info: write, warn: write, error: write };
    const app = createApp({ name: 'Watched', version: '1.0.0', functions: [add], log });
    vi.unstubAllEnvs();
    await app.fetch(new Request('http://x/functions/Add?profile=plain', asJson({ x: 1 })));
    expect(lines.map((line) => line.replace(/"duration":[\d.]+/, ''))).toEqual([
      'accepted {"wire":"http","subject":"POST /functions/Add"}',
      'decoded {"wire":"http","subject":"functions.Add"}',
      'called {"wire":"http","subject":"functions.Add"}',
      'answered {"wire":"http","subject":"functions.Add","code":"OK",}',
    ]);
  });

  it(proves('log.steps', 'are on stderr of a command, and stdout has the body alone'), async () => {
    const args = [COMMAND, 'call', APP, 'Add', '--x', '1', '--y', '2'];
    const { stdout, stderr } = await run(args, undefined, { NODE_DEBUG: 'everywire' });
    expect(stdout).toBe('{"result":3}');
    const called = ['decoded', 'called', 'answered'].map((step) => `debug cli ${step} functions.Add`);
    expect(stepsOf(stderr)).toEqual(['debug cli accepted add', ...called]);
  });

  it(proves('log.steps', 'are shown by mcp --verbose, and nothing is without'), async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    expect(stepsOf(await stderrOf(['mcp', APP, '--verbose'], ping))).toEqual(['debug mcp-stdio accepted ping']);
    expect(await stderrOf(['mcp', APP], ping)).toBe('');
  });
});

it.each([
  { flags: [], shown: true },
  { flags: ['--quiet'], shown: false },
])(
  proves('log.steps', 'serve on a terminal prints a line for each call unless --quiet: $flags'),
  async ({ flags, shown }) => {
    const screen = await screenOf(['serve', APP, '--port', '0', ...flags]);
    expect(/^\d\d:\d\d:\d\d http functions\.Add OK \d+\.\d ms\r?$/m.test(screen)).toBe(shown);
  },
);

const stderrOf = async (args: readonly string[], input: string) =>
  (await run([COMMAND, ...args], Buffer.from(input))).stderr;

/** Runs a server in a pseudo-terminal, which Python can open and Node cannot, calls it once, and stops it. */
async function screenOf(args: readonly string[]): Promise<string> {
  const script = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
  const child = spawn('python3', ['-c', script, process.execPath, COMMAND, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let screen = '';
  child.stdout.on('data', (chunk) => (screen += String(chunk)));
  await expect.poll(() => screen, { timeout: 20_000 }).toMatch(/http:\/\/\S+\/mcp/);
  const [url] = /http:\/\/[\d.]+:\d+/.exec(screen)!;
  await fetch(`${url}/functions/Add`, asJson({ x: 1, y: 2 }));
  child.stdin.write('\x03'); // Ctrl+C
  await closed;
  return screen;
}
