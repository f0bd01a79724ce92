import { createReadStream, existsSync } from 'node:fs';
import type { App } from '../../app/app.ts';
import type { CliHost } from '../../wires/cli/decode-input.ts';
import type { Process } from '../process.ts';

/** What `--input` and files among the arguments are read with. */
export function inputHost(proc: Process, { limits }: App): CliHost {
  return {
    limits,
    stdin: () => proc.stdin as AsyncIterable<Buffer>,
    readFile: (path) => createReadStream(proc.resolve(path)),
    fileExists: (path) => existsSync(proc.resolve(path)),
    openFile: async (path) => (await import('./open-file.ts')).openFile(proc, path, limits.file),
  };
}
