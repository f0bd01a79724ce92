import type { Stdout } from './claim.ts';
import { streamTo } from './stream.ts';

/**
 * Writes a stream to stdout as it comes, and no faster than its reader takes it. If there is no reader any more, the
 * stream is cancelled.
 */
export async function copyToStdout(source: ReadableStream<Uint8Array>, stdout: Stdout): Promise<void> {
  const output = streamTo(stdout);
  const reader = source.getReader();
  output.on('error', () => void reader.cancel().catch(() => {})); // a stream that has failed cannot be cancelled
  // Once the stream is cancelled, a read finds its end.
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { value } = next;
    await new Promise<void>((resolve) => output.write(value, () => resolve())); // also called if it fails
  }
}
