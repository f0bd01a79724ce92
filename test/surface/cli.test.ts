import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { appCommand, command } from '../kit/command.ts';
import type { Ran } from '../kit/command.ts';
import { run } from '../wires/cli.ts';

expectErrors(
  /^error: (?:unhandled rejection: (?:nobody awaited this|Unknown error)|uncaught: thrown from a (?:listener|timer))/,
);

const EVERYWIRE = 'dist/bin/everywire.js';
const APP = 'examples/calculator/app.ts';

const everywire = (...args: readonly string[]) => command(args);
const calculator = (...args: readonly string[]) => appCommand(APP, args, { name: 'calculator' });
const asProcess = (...args: readonly string[]) => run([EVERYWIRE, ...args]);

/** Runs Node on a pseudo-terminal; returns stdout and stderr together. */
async function onTerminal(...args: readonly string[]): Promise<string> {
  const line = ['node', ...args].map((arg) => `'${arg}'`).join(' ');
  const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '' },
  }).catch((error: Ran) => error);
  return stdout.replaceAll('\r\n', '\n');
}

describe.concurrent('flags', () => {
  const statistics = async (...flags: readonly string[]) => (await calculator('statistics', ...flags)).stdout;

  it(proves('cli.flags', 'numbers'), async () => {
    expect((await everywire('call', APP, 'Add', '--x', '10', '--y', '-20')).stdout).toBe('{"result":-10}');
    expect((await everywire('call', APP, 'Divide', '--dividend=1.5', '--divisor=0.5')).stdout).toBe('{"result":3}');
  });

  it(proves('cli.flags', 'repeated flags for an array, an enum, dotted flags for a nested object'), async () => {
    const given = [
      '--values',
      '1',
      '--values',
      '2.5',
      '--values',
      '9',
      '--measure',
      'median',
      '--round.digits',
      '0',
      '--round.mode',
      'up',
    ];
    expect(await statistics(...given)).toBe('{"result":{"measure":"median","value":3,"count":3,"memory":0}}');
  });

  it(proves('cli.flags', 'an array as JSON'), async () => {
    expect(await statistics('--values', '[1,2,3]', '--measure', 'sum')).toContain('"value":6');
  });

  it(proves('cli.flags', 'a switch, on and off'), async () => {
    const remembering = await asProcess('call', APP, 'statistics', '--values', '7', '--remember');
    expect(remembering.stdout).toContain('"memory":7');
    expect(await statistics('--values', '7', '--no-remember')).toContain('"memory":0');
  });

  it(proves('cli.flags', 'a wrong value is refused by the pipeline, like on any wire'), async () => {
    const { stdout, code } = await calculator('add', '--x', '1.9', '--y', 'abc');
    expect(stdout).toBe(
      '{"error":"Invalid arguments: /x: expected integer, got \\"1.9\\"; /y: expected integer, got \\"abc\\""}',
    );
    expect(code).toBe(2);
  });

  it(proves('cli.input', '--input with JSON, and flags on top'), async () => {
    expect((await calculator('add', '--input', '{"x":1,"y":2}', '--y', '5')).stdout).toBe('{"result":6}');
  });

  it(proves('cli.input', '--input - from stdin'), async () => {
    const { stdout } = await appCommand(APP, ['add', '--input', '-'], { input: '{"x":1,"y":2}' });
    expect(stdout).toBe('{"result":3}');
  });

  it.each([
    ['{x:1}', '--input, line 1, column 2: unexpected "x"\n  {x:1}\n   ^\n'],
    ['{"x":1,\n"y":}', '--input, line 2, column 5: unexpected "}"\n  "y":}\n      ^\n'],
    ['{"x":1', '--input, line 1, column 7: unexpected end\n  {"x":1\n        ^\n'],
    ['nofile.json', '--input takes JSON, or @ and the name of a file; there is no file nofile.json\n'],
    ['package.json', '--input takes JSON; to read a file, use: --input @package.json\n'],
    ['@README.md', 'README.md, line 1, column 1: unexpected "#"\n  # everywire\n  ^\n'],
  ])(proves('cli.input', 'what is no JSON is explained: %s'), async (input, hint) => {
    const { stdout, stderr, code } = await calculator('add', '--input', input);
    expect([stdout, code]).toEqual(['{"error":"Invalid JSON body"}', 2]);
    expect(stderr).toBe(`error: Invalid JSON body (INVALID_JSON)\n${hint}`);
  });

  it(proves('cli.input', 'what is no JSON on stdin is explained'), async () => {
    const piped = await appCommand(APP, ['add', '--input', '-'], { input: '{"x":1,\n2}' });
    expect(piped.stderr).toContain('stdin, line 2, column 1: unexpected "2"\n  2}\n  ^\n');
  });

  it(proves('cli.input', '--input @file reads a file, up to the limit'), async () => {
    const folder = temporaryFolder('input');
    await writeFile(join(folder, 'arguments.json'), '{"x": 1, "y": 2}');
    await writeFile(join(folder, 'large.json'), `{"x": 1, "y": "${'2'.repeat(2 ** 20)}"}`);
    const add = (file: string) => calculator('add', '--input', `@${join(folder, file)}`, '--y', '5');
    expect((await add('arguments.json')).stdout).toBe('{"result":6}');
    expect((await add('large.json')).stdout).toBe('{"error":"The body is larger than 1048576 bytes"}');
    expect(await add('none.json')).toEqual({
      stdout: `{"error":"--input: no such file: ${join(folder, 'none.json')}"}`,
      stderr: `error: --input: no such file: ${join(folder, 'none.json')} (INVALID_ARGUMENTS)\n`,
      code: 2,
    });
    expect((await add('')).stdout).toContain('--input: not a file: ');
    expect((await calculator('add', '--input', '@')).stdout).toContain('--input: no such file: (no name after @)');
  });

  it(proves('cli.environment', '--env and --mount reach the function'), async () => {
    const folder = temporaryFolder('mount');
    const environment = ['--env', 'DEBUG=true', '--mount', `${folder}:/`];
    const { stdout } = await calculator('add', '--x', '1', '--y', '1', ...environment);
    expect(readFileSync(join(folder, 'debug.log'), 'utf8')).toBe('Adding 1 + 1\n');
    expect(stdout).toBe('{"result":2}');
    const unset = await appCommand(APP, ['add', '--x', '1', '--y', '1'], { env: { DEBUG: 'true' } });
    expect(unset.stderr).toBe('');
  });

  it(proves('cli.environment', 'mcp-config hands them on, by their whole paths'), async () => {
    const { stdout } = await everywire('mcp-config', APP, '--env', 'A=b', '--mount', './test:/t:ro');
    const [{ args }] = Object.values(
      (JSON.parse(stdout) as { mcpServers: Record<string, { args: string[] }> }).mcpServers,
    ) as [{ args: string[] }];
    expect(args.slice(-4)).toEqual(['--env', 'A=b', '--mount', `${process.cwd()}/test:/t:ro`]);
  });

  it(proves('cli.suggests', 'options where the function should be are refused'), async () => {
    const { stdout, stderr, code } = await everywire('call', APP, '--env', 'A=b', 'Add', '--x', '1', '--y', '1');
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toContain('expected a function, got --env; options come after its name');
  });

  it(proves('cli.environment', '--env before the module reaches the function too'), async () => {
    const { stderr, code } = await everywire('call', '--env', 'DEBUG=true', APP, 'Add', '--x', '1', '--y', '1');
    expect(stderr).toContain('Outside of every mount: /debug.log (FORBIDDEN)');
    expect(code).toBe(1);
  });

  for (const words of [
    ['call', APP, 'Add'],
    ['mcp', APP],
    ['serve', APP],
    ['openapi', APP],
  ]) {
    it(proves('cli.environment', `${words[0]} refuses what does not parse`), async () => {
      const bad = await everywire(...words, '--env', 'NOVALUE');
      expect(bad.stderr).toContain('NOVALUE is not set in the environment; set it, or use NOVALUE=<value>');
      expect(bad.code).toBe(2);
      expect((await everywire(...words, '--mount', 'C:/data')).stderr).toContain('expected HOST:VIRTUAL[:ro]');
      const missing = await everywire(...words, '--mount', '/no/such/folder:/');
      expect(missing.stderr).toContain('no such folder: /no/such/folder');
      expect(missing.code).toBe(2);
    });
  }
});

describe.concurrent('answers', () => {
  it(proves('cli.exact', 'the exact body into a pipe, to the byte'), async () => {
    expect((await calculator('div-mod', '--x', '17', '--y', '5')).stdout).toBe('{"result0":3,"result1":2}');
  });

  it(proves('cli.exact', 'a body longer than a pipe holds'), async () => {
    const text = 'a'.repeat(900_000);
    const { stdout } = await run(
      [EVERYWIRE, 'call', 'test/apps/arguments.ts', 'Text', '--input', '-'],
      Buffer.from(JSON.stringify({ text })),
    );
    expect(stdout).toBe(JSON.stringify({ result: { text } }));
  });

  it(proves('cli.exact', 'what the function prints goes to stderr'), async () => {
    const { stdout, stderr } = await asProcess('call', 'test/apps/hostile.ts', 'Print', '--json');
    expect(stdout).toBe('{"result":"ok"}');
    expect(stderr).toContain('noise from console.log');
    expect(stderr).toContain('noise from process.stdout');
  });

  it.runIf(process.platform === 'linux')(
    proves('cli.exact', 'what its children print goes to stderr, too'),
    async () => {
      const shell = (line: string) => promisify(execFile)('bash', ['-c', line]);
      const call = `node ${EVERYWIRE} call test/apps/hostile.ts PrintLow`;
      const { stdout } = await shell(`${call} 2>/dev/null | cat`);
      expect(stdout).toBe('{"result":"ok"}');
    },
  );

  it(proves('cli.exact', 'into a file that others write to as well'), async () => {
    const folder = temporaryFolder('cli');
    const add = `node ${EVERYWIRE} call ${APP} Add --x 1 --y 2`;
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `{ echo first; ${add}; echo; echo last; } > ${folder}/out; cat ${folder}/out`,
    ]);
    expect(stdout).toBe('first\n{"result":3}\nlast\n');
  });

  it(proves('failure.any-throw', 'of a function that leaves a rejection behind, or throws from a timer'), async () => {
    const rejected = await asProcess('call', 'test/apps/hostile.ts', 'Stray');
    expect([rejected.stdout, rejected.code]).toEqual(['{"result":"ok"}', 0]);
    expect(rejected.stderr).toMatch(/error: unhandled rejection: nobody awaited this\n +at .*hostile/);
    const thrown = await asProcess('call', 'test/apps/hostile.ts', 'Timer');
    expect([thrown.stdout, thrown.code]).toEqual(['{"error":"thrown from a timer"}', 70]);
  });

  it(proves('cli.readable', 'one value, several, and none, on a terminal'), async () => {
    expect(await onTerminal(EVERYWIRE, 'call', APP, 'Add', '--x', '1', '--y', '2')).toBe('3\n');
    expect(await onTerminal(EVERYWIRE, 'call', APP, 'DivMod', '--x', '17', '--y', '5')).toBe(
      'Quotient:  3\nRemainder: 2\n',
    );
    expect(await onTerminal(EVERYWIRE, 'call', APP, 'Reset')).toBe('Done.\n');
  });

  it(proves('cli.readable', 'an object, aligned; a list; --json even on a terminal'), async () => {
    expect(await onTerminal(EVERYWIRE, 'call', 'examples/weather/app.ts', 'GetWeather', '--location', 'Oslo')).toBe(
      'location:    Oslo\ntemperature: 5\nconditions:  Cloudy\nhumidity:    78\nwindSpeed:   3.4\n',
    );
    expect(await onTerminal(EVERYWIRE, 'call', 'examples/weather/app.ts', 'ListLocations', '--warmerThan', '10')).toBe(
      '- Lisbon\n- Kyoto\n',
    );
    expect(await onTerminal(EVERYWIRE, 'call', APP, 'Add', '--x', '1', '--y', '2', '--json')).toBe('{"result":3}\n');
  });

  it(proves('profile.cli', '--profile prints the body in that profile, on a terminal and into a pipe'), async () => {
    const add = [EVERYWIRE, 'call', APP, 'Add', '--x', '1', '--y', '2', '--profile', 'status'];
    expect(await onTerminal(...add)).toBe('{"status":"SUCCESS","data":3}\n');
    expect((await everywire(...add.slice(1))).stdout).toBe('{"status":"SUCCESS","data":3}');
  });

  it(proves('profile.cli', 'mistakes in the flags are rendered in the requested profile'), async () => {
    const wrong = await everywire('call', APP, 'Add', '--z', '1', '--profile=status');
    expect(JSON.parse(wrong.stdout)).toMatchObject({ status: 'ERROR', error: { code: 'INVALID_ARGUMENTS' } });
    expect(wrong.code).toBe(2);
    const nowhere = await everywire('call', APP, 'Nowhere', '--profile', 'problem');
    expect(JSON.parse(nowhere.stdout)).toMatchObject({ status: 404, code: 'FUNCTION_NOT_FOUND' });
  });

  it(proves('profile.cli', 'a profile that does not exist is refused, with those that do'), async () => {
    const { stdout, code } = await everywire('call', APP, 'Add', '--x', '1', '--y', '2', '--profile', 'xml');
    expect(code).toBe(2);
    expect(stdout).toContain('Allowed choices are plain, envelope, status, problem, mcp.');
  });

  it(proves('profile.describe', "on a terminal the answer is in the function's own words"), async () => {
    expect(await onTerminal(EVERYWIRE, 'call', 'test/apps/profiles.ts', 'ListInstances')).toBe(
      '2 instances are known\n',
    );
  });

  it(proves('cli.readable', 'a failure, in red on a terminal and without colour elsewhere'), async () => {
    const divide = [EVERYWIRE, 'call', APP, 'Divide', '--dividend', '1', '--divisor', '0'];
    expect(await onTerminal(...divide)).toBe('\u001b[31merror:\u001b[39m Cannot divide by zero (DIVISION_BY_ZERO)\n');
    const piped = await everywire(...divide.slice(1));
    expect(piped).toEqual({
      stdout: '{"error":"Cannot divide by zero"}',
      stderr: 'error: Cannot divide by zero (DIVISION_BY_ZERO)\n',
      code: 1,
    });
  });
});

describe.concurrent('labels on stderr', () => {
  const WARNING = 'claude-desktop and claude-code reject tool names with a dot; for them, use --names portable';

  it(proves('cli.labels', 'mcp prints nothing when a client starts it, and a warning on a terminal'), async () => {
    expect(await asProcess('mcp', APP)).toEqual({ stdout: '', stderr: '', code: 0 });
    const discarded = await promisify(execFile)('bash', ['-c', `node ${EVERYWIRE} mcp ${APP} < /dev/null > /dev/null`]);
    expect(discarded.stderr).toBe('');
    const { stdout } = await promisify(execFile)(
      'script',
      ['-qec', `node ${EVERYWIRE} mcp ${APP} < /dev/null`, '/dev/null'],
      { env: { ...process.env, TERM: 'xterm', NO_COLOR: '' } },
    );
    expect(stdout).toBe(`\u001b[33mwarning:\u001b[39m ${WARNING}\r\n`);
  });

  it(proves('cli.labels', 'mcp-config warns where the client is not known'), async () => {
    const generic = await everywire('mcp-config', APP);
    expect(generic.stderr).toBe(`For the configuration of your MCP client:\nwarning: ${WARNING}\n`);
    const known = await everywire('mcp-config', APP, '--for', 'claude-desktop');
    expect(known.stderr).toBe('For claude_desktop_config.json:\n');
  });
});

describe.concurrent('help', () => {
  it(proves('cli.help', 'of a function: every parameter with its description, and an example that works'), async () => {
    const { stdout, code } = await calculator('statistics', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/--values <number>\s+The numbers \(required, repeatable, at least 1\s+item\)/);
    expect(stdout).toMatch(/--measure <mean\|median\|sum>\s+What to compute \(default: "mean"\)/);
    expect(stdout).toMatch(/--round\.digits <integer>\s+Digits after the point/);
    const example = /\$ calculator (.*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    expect((await calculator(...example)).stdout).toBe(
      '{"result":{"measure":"mean","value":2.3,"count":3,"memory":0}}',
    );
  });

  it(proves('cli.help', 'of everywire, of a module, and of each command'), async () => {
    expect((await everywire('--help')).stdout).toMatch(/^everywire v\d+\.\d+\.\d+ \w+\n/);
    expect((await everywire('call', APP, '--help')).stdout).toMatch(/^Calculator v1\.0\.0 [\s\S]+div-mod/);
    expect((await everywire('call', APP)).stdout).toContain('Adds two integers together');
    expect((await everywire('serve', '--help')).stdout).toContain('--port <number>');
    expect((await everywire('call', '--help')).stdout).toContain('<module>');
    expect((await everywire('openapi', '--help')).stdout).toContain('--openapi-version');
  });

  it(proves('cli.help', 'starts with the banner, for a function too'), async () => {
    expect((await calculator('add', '--help')).stdout).toMatch(/^Calculator v1\.0\.0 \(based on everywire /);
    expect((await calculator('complete', '--help')).stdout).toContain('Usage: calculator complete');
  });

  it(proves('cli.suggests', 'where help is, after a misuse'), async () => {
    expect((await everywire('serve')).stderr).toContain('See everywire serve --help');
    const { stdout } = await calculator('add', '1', '2');
    expect(stdout).toBe('{"error":"arguments are given by flags, or as JSON with --input"}');
  });

  it(proves('cli.suggests', 'for a mistyped function'), async () => {
    const { stdout, stderr, code } = await calculator('ad', '--x', '1');
    expect(stdout).toBe('{"error":"Function not found: ad"}');
    expect(stderr).toContain('Did you mean add?');
    expect(code).toBe(127);
  });

  it(proves('cli.suggests', 'for a mistyped flag, as the body and in words'), async () => {
    const { stdout, stderr, code } = await calculator('statistics', '--valeus', '1');
    expect(stdout).toBe(`{"error":"unknown option '--valeus' (Did you mean --values?)"}`);
    expect(stderr).toContain('Did you mean --values?');
    expect(code).toBe(2);
  });

  it(proves('cli.suggests', 'for a mistyped command of everywire'), async () => {
    const { stderr, code } = await everywire('srve', APP);
    expect(stderr).toContain('Did you mean serve?');
    expect(code).toBe(2);
  });
});

describe.concurrent('modules', () => {
  const module = async (name: string, text: string) => {
    const file = join(temporaryFolder('cli'), name);
    await writeFile(file, text);
    return file;
  };

  it(proves('cli.typescript', 'a package that is not installed is one sentence'), async () => {
    const folder = temporaryFolder('cli');
    for (const file of ['app.ts', 'app.mjs']) {
      await writeFile(join(folder, file), "import 'no-such-package';\nexport default 1;\n");
      const { stderr, code } = await everywire('call', join(folder, file), 'F');
      expect(stderr.trim()).toMatch(
        /^error: .*cannot be loaded: Cannot find (?:package|module) 'no-such-package' \(.*app\.(?:ts|mjs)\)$/,
      );
      expect(code).toBe(1);
    }
  });

  it(proves('cli.typescript', 'with an enum, which only a compiler can run'), async () => {
    const file = await module(
      'app.ts',
      `import { createApp, defineFunction } from '${process.cwd()}/dist/index.js';
      enum Colour { Red = 'red' }
      const f = defineFunction({ name: 'F', description: 'f', output: { type: 'string', description: 'd' }, run: (): string => Colour.Red });
      export default createApp({ name: 'A', version: '1', functions: [f] });`,
    );
    expect((await everywire('call', file, 'F')).stdout).toBe('{"result":"red"}');
  });

  it(proves('cli.exit', 'that do not exist or export no app'), async () => {
    const missing = await everywire('serve', 'nowhere.ts');
    expect(missing).toEqual({ stdout: '', stderr: 'error: No such module: nowhere.ts\n', code: 1 });
    const empty = await everywire('call', await module('empty.mjs', 'export const x = 1;'), 'Add');
    expect(empty.stderr).toContain('exports no app; add: export default createApp({ … })');
    expect(empty.code).toBe(1);
    const text = await everywire('serve', 'README.md');
    expect(text.stderr).toBe('error: README.md is not a module; expected a .ts, .js or .mjs file\n');
  });

  it(proves('cli.exit', 'whose function is called like a command of ours'), async () => {
    const file = await module(
      'serve.mjs',
      `import { createApp } from '${process.cwd()}/dist/index.js';
      const app = createApp({ name: 'S', version: '1', functions: [{ name: 'Serve', description: 'Tennis', run() {} }] });
      await app.run(process.argv);`,
    );
    expect((await run([file, '--help'])).stdout).toMatch(/serve \[options\] +serve the functions/);
    expect((await run([file, 'call', 'Serve'])).stdout).toBe('{}');
  });

  it(proves('cli.exit', 'whose reader stops reading'), async () => {
    const { stderr } = await promisify(execFile)('bash', ['-c', `node ${EVERYWIRE} call ${APP} --help | head -n 1`]);
    expect(stderr).toBe('');
  });

  it(proves('build.all-at-once', 'whose app is wrong: one message, no stack'), async () => {
    const file = await module(
      'wrong.mjs',
      `import { createApp } from '${process.cwd()}/dist/index.js';
      export default createApp({ name: 'Wrong', version: '1', functions: [{ name: 'A b', run() {} }] });`,
    );
    const { stderr, code } = await everywire('openapi', file);
    expect(stderr).toMatch(/^error: 3 problems in app "Wrong":\n/);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(1);
  });

  it(proves('cli.exit', 'and a port that is taken'), async () => {
    const { startServing } = await import('../kit/served.ts');
    const served = await startServing(APP);
    const { stderr, code } = await asProcess('serve', APP, '--port', new URL(served.url).port);
    await served.stop();
    expect(stderr).toMatch(/^error: port \d+ is in use; choose another with --port\n$/);
    expect(code).toBe(1);
    expect((await everywire('serve', APP, '--port', 'eighty')).stderr).toContain('expected a number from 0 to 65535');
  });

  it(proves('cli.serve-defaults', 'and a port and an address that the environment says'), async () => {
    const serving = (env: Record<string, string>, ...flags: readonly string[]) =>
      run([EVERYWIRE, 'serve', APP, ...flags], undefined, env);
    const nowhere = { EVERYWIRE_HOST: '203.0.113.1' };
    expect((await serving(nowhere)).stderr).toBe('error: 203.0.113.1 is not an address of this machine\n');
    expect((await serving(nowhere, '--host', '203.0.113.2')).stderr).toContain('203.0.113.2');
    const wrong = await serving({ EVERYWIRE_PORT: 'eighty' });
    expect(wrong.stderr).toContain("value 'eighty' from env 'EVERYWIRE_PORT' is invalid");
    expect(wrong.code).toBe(2);
  });

  it(proves('failure.any-throw', 'and a server whose functions throw outside of their calls'), async () => {
    const { startServing } = await import('../kit/served.ts');
    const served = await startServing('test/apps/hostile.ts');
    for (const name of ['Stray', 'StrayNothing', 'BadListener', 'Timer', 'Stray']) {
      await fetch(`${served.url}/functions/${name}`, { method: 'POST' });
    }
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    expect(await served.stop()).toBe(0);
    expect(served.stderr()).toMatch(/uncaught: thrown from a listener\n +at .*hostile/);
    expect(served.stderr()).toContain('unhandled rejection: Unknown error');
  });

  it(proves('http.drain', 'and a server that gets SIGTERM'), async () => {
    const { startServing } = await import('../kit/served.ts');
    const served = await startServing(APP);
    expect(await served.stop()).toBe(0);
    expect(served.stderr()).toContain('SIGTERM: finishing the calls in progress');
  });

  it(proves('openapi.document', 'and their document, for a server and a version of choice'), async () => {
    const { stdout } = await calculator('openapi', '--openapi-version', '3.0', '--server', 'https://api.example');
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.0.3', servers: [{ url: 'https://api.example' }] });
    const types = (text: string) => Object.keys(JSON.parse(text).paths['/functions/Add'].post.responses['200'].content);
    expect(types(stdout)).toEqual(['application/json']);
    expect(types((await calculator('openapi', '--profiles', 'all')).stdout)).toHaveLength(5);
    expect((await calculator('openapi', '--profiles', 'some')).stderr).toContain('own, all');
  });
});
