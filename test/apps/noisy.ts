import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createApp, defineFunction } from 'everywire';

// An app that does everything with stdout and the process that a CGI script must not.

console.log('printed while loading');
if (process.env['BROKEN']) throw new Error(process.env['BROKEN']);
const proxyAtFirst = process.env['HTTP_PROXY'] ?? 'none';
const output = { type: 'string', description: 'What it says' } as const;

const print = defineFunction({
  name: 'Print',
  description: 'Prints in every way there is, then answers',
  output,
  run: () => {
    console.log('printed by console.log');
    process.stdout.write('printed by process.stdout\n');
    writeSync(1, 'printed by the descriptor\n');
    spawnSync('echo', ['printed by a child'], { stdio: 'inherit' });
    return 'done';
  },
});

const exit = defineFunction({
  name: 'Exit',
  description: 'Ends the process',
  run: () => process.exit(3),
});

const hang = defineFunction({
  name: 'Hang',
  description: 'Never ends, and nothing is left to wait for',
  timeout: 0,
  run: () => new Promise<void>(() => {}),
});

const stray = defineFunction({
  name: 'Stray',
  description: 'Throws where nobody catches',
  timeout: 0,
  run: () => {
    setTimeout(() => {
      throw new Error('thrown by a timer');
    });
    return new Promise<void>(() => {});
  },
});

const proxy = defineFunction({
  name: 'Proxy',
  description: 'Tells which proxy a library would use, and what wire it was called over',
  output,
  run: (_, { caller }) => `${process.env['HTTP_PROXY'] ?? 'none'}, at first ${proxyAtFirst}, over ${caller.wire}`,
});

export default createApp({ name: 'Noisy', version: '1.0.0', functions: [print, exit, hang, stray, proxy] });
