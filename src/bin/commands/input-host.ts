import { createReadStream, existsSync } from 'node:fs';
import type { App } from '../../app/app.ts';
import type { CliHost } from '../../wires/cli/decode-input.ts';

/** What `--input` and files among the arguments are read with. */
export function inputHost({ limits }: App): CliHost {
  return {
    limits,
    stdin: () => process.stdin as AsyncIterable<Buffer>,
    readFile: createReadStream,
    fileExists: existsSync,
    openFile: async (path) => (await import('./open-file.ts')).openFile(path, limits.file),
  };
}
