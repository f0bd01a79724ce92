import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp, defineFunction } from 'everywire';

/** Notes its process, and one that it starts, in a folder. */
const hang = defineFunction({
  name: 'Hang',
  description: 'Never answers',
  run: () => {
    const started = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit'] });
    for (const pid of [process.pid, started.pid]) writeFileSync(join(process.env['HANG_FOLDER']!, String(pid)), '');
    return new Promise<void>(() => {});
  },
});

export default createApp({
  name: 'Hang',
  version: '1.0.0',
  functions: [hang],
  limits: { timeout: 0 },
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
