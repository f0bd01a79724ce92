import { describe, expect, it } from 'vitest';
import { names, switches } from '../apps/named.ts';
import { proves } from '../promises.ts';
import { builtModule } from '../kit/built.ts';
import { appCommand, command } from '../kit/command.ts';
import { string } from '../kit/functions.ts';
import { problemsOf } from '../kit/parts.ts';
import { run } from '../wires/cli.ts';

const GROUPS = 'test/apps/groups.ts';
const everywire = (...args: readonly string[]) => command(['call', GROUPS, ...args]);
const shop = (...args: readonly string[]) => appCommand(GROUPS, args);

describe.concurrent.each([
  ['with everywire', everywire],
  ['of an app that is a command', shop],
])('groups, %s', (_form, call) => {
  it(proves('cli.groups', 'are nested commands; the one-word name and the full name work too'), async () => {
    for (const words of [['orders', 'archive', 'list'], ['orders-archive-list'], ['orders.archive.List']])
      expect(await call(...words)).toEqual({ stdout: '{"result":["AA-1"]}', stderr: '', code: 0 });
  });

  it(proves('cli.groups', 'are listed with the description of their tag, and list their functions'), async () => {
    const { stdout } = await call('--help');
    expect(stdout).toMatch(/Functions:\n {2}ping [\s\S]*Groups:\n {2}orders .*Orders of customers\n/);
    expect(stdout).toContain('Lists prices (also a group: raise)');
    const orders = await call('orders', '--help');
    expect(orders.stdout).toMatch(/Orders of customers\n[\s\S]*Functions:\n {2}list +Lists orders\n {2}show +/);
    expect(orders.stdout).toMatch(/Groups:\n {2}archive +Orders of the past\n/);
    expect(orders.stdout).toMatch(/For one function: .* orders list --help\n/);
    expect(await call('orders')).toEqual(orders);
    expect((await call('orders', 'show', '--help')).stdout).toMatch(/^Usage: .*orders show \[options\] <id> \[parts/m);
  });

  it(proves('cli.groups', 'reject a function that they have not, with a suggestion'), async () => {
    expect(await call('orders', 'lst')).toEqual({
      stdout: '{"error":"Function not found: orders.lst"}',
      stderr: 'error: Function not found: orders.lst (FUNCTION_NOT_FOUND)\nDid you mean orders list?\n',
      code: 127,
    });
    const option = await call('orders', '--json');
    expect([option.stdout, option.code]).toEqual(['', 2]);
    expect(option.stderr).toContain('expected a function, got --json; options come after its name');
  });

  it(proves('cli.groups', 'may have the name of a function'), async () => {
    expect((await call('prices', 'tea')).stdout).toBe('{"result":"prices of tea"}');
    expect((await call('prices', 'raise', '--percent', '3')).stdout).toBe('{"result":3}');
    expect((await call('prices', '--help')).stdout).toContain('prices is also a group:\n  raise  Raises prices\n');
  });

  const BOTH = "option '--format <name>' cannot be used with option '--json'";
  it.each([
    ['AB-1 --format yaml', 'id: AB-1\n', '', 0],
    ['AB-1 --format=jsonl', '{"id":"AB-1"}\n', '', 0],
    ['AB-1 --format table', 'field  value\n-----  -----\nid     AB-1\n', '', 0],
    ['ZZ-0 --format yaml', '', 'error: No such order (NOT_FOUND)\n', 1],
    ['AB-1 --format xml', '', /Allowed choices are text, table, json, jsonl, yaml\./, 2],
    ['AB-1 --format yaml --json', `{"error":"${BOTH}"}`, /cannot be used with option/, 2],
  ])(proves('cli.format', 'the data alone is printed, failures on stderr: %s'), async (line, stdout, stderr, code) => {
    const said = typeof stderr === 'string' ? stderr : (expect.stringMatching(stderr) as string);
    expect(await call('orders', 'show', ...line.split(' '))).toEqual({ stdout, stderr: said, code });
  });
});

it(
  proves('cli.groups', 'groups with the name of a command of ours are reached with call, or by one word'),
  async () => {
    expect((await shop('--help')).stdout).toMatch(/^ {2}serve-tea .*Serves tea$/m);
    expect((await run([await builtModule(GROUPS), 'serve-tea'])).stdout).toBe('{"result":"tea"}');
    expect((await shop('serve-tea', '--help')).stdout).toMatch(/^Usage: \S+ serve-tea \[options\]$/m);
    expect((await shop('call', 'serve', 'tea')).stdout).toBe('{"result":"tea"}');
    expect((await everywire('serve', 'tea')).stdout).toBe('{"result":"tea"}');
  },
);

describe.concurrent('positional arguments and short flags', () => {
  it(proves('cli.positional', 'a list takes the rest; flags of the same name work too'), async () => {
    const both = '{"result":{"id":"AB-1","parts":["lines","payments"]}}';
    expect((await everywire('orders', 'show', 'AB-1', 'lines', 'payments')).stdout).toBe(both);
    const flags = ['--id', 'AB-1', '--parts', 'lines', '--parts=payments'];
    expect((await everywire('orders', 'show', ...flags)).stdout).toBe(both);
    expect((await everywire('orders', 'show', '--input', '{"id":"AB-1"}')).stdout).toBe('{"result":{"id":"AB-1"}}');
  });

  it(proves('cli.positional', 'what is missing or wrong is reported like on any wire'), async () => {
    const missing = await everywire('orders', 'show');
    const expected = ['{"error":"Invalid arguments: /id: required, expected string"}', 2];
    expect([missing.stdout, missing.code]).toEqual(expected);
    const many = await everywire('prices', 'a', 'b');
    expect(many.stdout).toContain('too many arguments: at most 1 by position');
  });

  it(proves('cli.positional', 'letters, also together'), async () => {
    const { stdout } = await everywire('orders', 'list', '-rn', '3');
    expect(stdout).toContain(String.raw`{\"newest_first\":true,\"maxCount\":3}`);
  });

  it(proves('cli.spelling', 'kebab-case for camelCase and snake_case, and lists are not split by it'), async () => {
    const { stdout } = await everywire('orders', 'list', '--max-count', 'all', '--no-newest-first');
    expect(stdout).toContain(String.raw`{\"maxCount\":\"all\",\"newest_first\":false}`);
    const suggested = await everywire('orders', 'list', '--max-cont', '1');
    expect(suggested.stdout).toContain('(Did you mean --maxCount?)');
  });

  it(proves('cli.described', 'help shows unions, dates, limits and positions'), async () => {
    const list = (await everywire('orders', 'list', '--help')).stdout;
    expect(list).toMatch(/^ {2}-n, --maxCount <integer\|"all"> +How many$/m);
    expect(list).toMatch(/^ {2}--since <date-time> +No older ones \(such as 2026-01-31T12:00:00Z\)$/m);
    const show = (await everywire('orders', 'show', '--help')).stdout;
    expect(show).toMatch(/^ {2}<id> +The number of the order \(required, matching/m);
    expect(show).toMatch(/^ {2}\[parts\.\.\.\] +What else to show \(lines\|payments\)$/m);
    expect((await everywire('prices', 'raise', '--help')).stdout).toContain('(required, more than 0 and at most');
  });

  it(proves('cli.examples', 'the example of each help can be typed'), async () => {
    for (const words of [['orders', 'list'], ['orders', 'show'], ['prices'], ['prices', 'raise'], ['ping']]) {
      const { stdout } = await everywire(...words, '--help');
      const example = /\$ everywire call \S+ (.*)$/m.exec(stdout)?.[1] ?? '';
      expect((await everywire(...example.split(' '))).code, example).toBe(0);
    }
  });
});

it(proves('cli.positional', 'mistakes are found when the app is created'), () => {
  const input = { type: 'object', properties: { id: string, tags: { type: 'array' } }, required: ['id'] };
  const cli = { positional: ['tags', 'id', 'di'], short: { id: 'h', tags: '12' }, shrt: {} };
  const problems = problemsOf({ functions: [{ name: 'F', description: 'F', input, cli, run() {} }] });
  for (const problem of [
    'cli: unknown option "shrt" (did you mean "short"?)',
    'cli: positional "tags" is a list, which takes the rest; put it last',
    'cli: positional "id" is required, but follows an optional parameter',
    'cli: positional: "di" is not a parameter of the input (did you mean "id"?)',
    'cli: short "id": -h is taken by --help',
    'cli: short "tags" must be one letter, not "12"',
  ])
    expect(problems.join('\n')).toContain(problem);
});

// Every name is given as its own flag says, which help shows.

const RESERVED = new Set(['input', 'json', 'env', 'mount', 'help', 'profile']);
const flagOf = (name: string) => `--${RESERVED.has(name) ? `arg-${name}` : name}`;
const named = (...args: readonly string[]) => appCommand('test/apps/named.ts', args);
const result = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { result: unknown }).result;

describe('parameters with any name', () => {
  it(proves('cli.flags', 'are all given at once, and none is lost'), async () => {
    const given = names.flatMap((name, i) => [flagOf(name), `value ${i}`]);
    const { stdout, stderr, code } = await named('texts', ...given);
    expect([stderr, code]).toEqual(['', 0]);
    const came = new Map(result({ stdout }) as [string, string][]);
    expect(names.map((name) => [name, came.get(name)])).toEqual(names.map((name, i) => [name, `value ${i}`]));
  });

  it(proves('cli.flags', 'are shown by help under the name that works'), async () => {
    const { stdout } = await named('texts', '--help');
    for (const name of names) expect(stdout).toContain(`\n  ${flagOf(name)} <string>`);
  });

  it.each([...switches.entries()])(proves('cli.flags', '%i: %s is a switch, on and off'), async (i, name) => {
    const flag = flagOf(name);
    expect(result(await named(`switch${i}`, flag))).toEqual([[name, true]]);
    expect(result(await named(`switch${i}`, `--no-${flag.slice(2)}`))).toEqual([[name, false]]);
  });

  it(proves('cli.flags', '--arg-no-… is another way to say --no-…'), async () => {
    expect(result(await named('texts', '--arg-no-input', 'x', '--arg-no-json=y', '--json'))).toEqual([
      ['no-input', 'x'],
      ['no-json', 'y'],
    ]);
  });

  it(proves('cli.flags', 'whose values look like notation take one value each'), async () => {
    for (const size of ['more...', '[few]', '<none>', '--x', 'a,b'])
      expect(result(await named('values', '--size', size, '--other', 'o'))).toEqual({ size, other: 'o' });
  });
});
