import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onTerminal } from '../kit/on-terminal.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { filesOf, everywire, filesIn, jsonIn } from './create.ts';

const ENTER = '\r';
const CI = '.github/workflows/test.yml';

function type(cwd: string, args: string, keys: readonly (readonly [RegExp, string])[]) {
  return onTerminal(`${process.execPath} ${everywire} init ${args}`, { cwd }, keys);
}

describe.concurrent('questions on a terminal', () => {
  it(proves('init.questions', 'all of them, with answers of every kind'), async () => {
    const folder = temporaryFolder('init');
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full/notes'), '');
    const { screen, code } = await type(folder, '', [
      [/In which folder\?/, `full${ENTER}`],
      [/full is not empty: it has notes/, `\x15My Sums${ENTER}`],
      [/name of the package\?[^]*my-sums/, `Sums${ENTER}`],
      [/"Sums" cannot be the name of a package; try sums/, `\x15sums${ENTER}`],
      [/GitHub\?/, `n`],
      [/Dockerfile\?/, `y`],
      [/MCP clients\?/, ` ${ENTER}`],
      [/npm install now\?/, `n`],
    ]);
    expect(code).toBe(0);
    expect(filesIn(join(folder, 'My Sums'))).toEqual(
      [...filesOf('sums'), '.dockerignore', 'Dockerfile', '.mcp.json'].toSorted(),
    );
    expect(jsonIn(folder, 'My Sums/package.json').name).toBe('sums');
    expect(screen).toContain('Created sums in My Sums:');
    expect(screen).toContain("cd 'My Sums'");
  });

  it(proves('init.questions', 'return takes what is suggested; what was typed is not asked for'), async () => {
    const folder = temporaryFolder('init');
    const { screen, code } = await type(folder, '--docker --install', [
      [/In which folder\?/, ENTER],
      [/name of the package\?/, ENTER],
      [/GitHub\?/, ENTER],
      [/MCP clients\?/, '\x03'],
    ]);
    expect(screen).not.toMatch(/Dockerfile\?|install now\?/);
    expect(screen).toContain('Cancelled; nothing was created.');
    expect(code).toBe(1);
    expect(filesIn(folder)).toEqual([]);
  });

  it(proves('init.questions', 'a folder may start with ~, as in a shell'), async () => {
    const folder = temporaryFolder('init');
    const { screen, code } = await onTerminal(
      `${process.execPath} ${everywire} init --name sums --no-ci --docker --mcp cursor`,
      { cwd: folder, env: { HOME: join(folder, 'home') } },
      [
        [/In which folder\?/, `~/sums${ENTER}`],
        [/npm install now\?/, 'n'],
      ],
    );
    expect(screen).toContain(`Created sums in ${folder}/home/sums:`);
    expect(code).toBe(0);
  });

  it(proves('init.questions', '--yes asks nothing'), async () => {
    const folder = temporaryFolder('init');
    const { screen, code } = await type(folder, 'sums --yes', []);
    expect(code).toBe(0);
    expect(screen).not.toContain('?');
    expect(filesIn(join(folder, 'sums'))).toEqual([...filesOf('sums'), CI].toSorted());
  });

  it(proves('init.questions', 'what cannot work is refused before anything is asked'), async () => {
    const folder = temporaryFolder('init');
    writeFileSync(join(folder, 'x'), '');
    for (const args of ['x', '--name Sums']) {
      const { screen, code } = await type(folder, args, []);
      expect(screen).toMatch(/^error: /);
      expect(code).toBe(1);
    }
  });
});
