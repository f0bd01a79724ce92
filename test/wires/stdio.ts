import { PassThrough } from 'node:stream';
import type { App } from 'everywire';
import { eachLine } from '../../src/proof/each-line.ts';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';

/** MCP on streams of this process, as `everywire mcp` serves it on stdin and stdout. */
export interface StdioSession {
  write(line: string): void;
  /** Every line that the server writes from now on. */
  onLine(listener: (line: string) => void): void;
  /** Ends the input, and resolves when all requests have a response. */
  close(): Promise<void>;
}

export function openStdio(app: App): StdioSession {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const listeners: ((line: string) => void)[] = [];
  eachLine(output, (line) => listeners.forEach((listener) => listener(line)));
  const { ended } = serveMcpStdio(app as never, input, output, {});
  return {
    write: (line) => void input.write(`${line}\n`),
    onLine: (listener) => void listeners.push(listener),
    async close() {
      input.end();
      await ended;
    },
  };
}
