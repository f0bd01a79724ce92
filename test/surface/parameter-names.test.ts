import { describe, expect, it } from 'vitest';
import { names, switches } from '../apps/named.ts';
import { proves } from '../promises.ts';
import { appCommand } from '../kit/command.ts';

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

  it.each(switches.map((name, i) => [name, i] as const))(
    proves('cli.flags', '%s is a switch, on and off'),
    async (name, i) => {
      const flag = flagOf(name);
      expect(result(await named(`switch${i}`, flag))).toEqual([[name, true]]);
      expect(result(await named(`switch${i}`, `--no-${flag.slice(2)}`))).toEqual([[name, false]]);
    },
  );

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
