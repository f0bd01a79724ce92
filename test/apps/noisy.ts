import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createApp } from 'everywire';
import { fn, string as output } from '../kit/functions.ts';

// An app that does everything with stdout and the process that a CGI script must not.

console.log('printed while loading');
if (process.env['BROKEN']) throw new Error(process.env['BROKEN']);
const proxyAtFirst = process.env['HTTP_PROXY'] ?? 'none';

const functions = [
  fn('Print', { output }, () => {
    console.log('printed by console.log');
    process.stdout.write('printed by process.stdout\n');
    writeSync(1, 'printed by the descriptor\n');
    spawnSync('echo', ['printed by a child'], { stdio: 'inherit' });
    return 'done';
  }),
  fn('Exit', {}, () => process.exit(3)),
  fn('Hang', { timeout: 0 }, () => new Promise(() => {})),
  fn('Stray', { timeout: 0 }, () => {
    setTimeout(() => {
      throw new Error('thrown by a timer');
    });
    return new Promise(() => {});
  }),
  fn('Proxy', { output }, (_, { caller }) => {
    return `${process.env['HTTP_PROXY'] ?? 'none'}, at first ${proxyAtFirst}, over ${caller.wire}`;
  }),
];

export default createApp({ name: 'Noisy', version: '1.0.0', functions });
