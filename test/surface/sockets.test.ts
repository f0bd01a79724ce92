import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

// Node gives its child processes sockets. Duplicating one uses deprecated API (src/stdout/dup-socket.ts).

const PRINTING = `import { createApp, defineFunction } from 'everywire';
console.log('printed by the app');
const parent = defineFunction({ name: 'Parent', description: 'The parent process', output: { type: 'integer', description: 'Its id' }, run: () => process.ppid });
export default createApp({ name: 'Sockets', version: '1.0.0', functions: [parent] });
`;

describe('a socket as stdout', () => {
  it(proves('cli.exact', 'is duplicated in this process, and nothing is said about it'), async () => {
    const module = join(temporaryFolder('sockets'), 'app.mjs');
    writeFileSync(module, PRINTING.replace("'everywire'", `'${join(process.cwd(), 'dist/index.js')}'`));
    const command = ['dist/bin/everywire.js', 'call', module, 'Parent', '--json'];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    // A second process would have the first one as its parent.
    expect([JSON.parse(stdout), stderr]).toEqual([{ result: process.pid }, 'printed by the app\n']);
  });
});

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
