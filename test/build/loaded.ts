import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The URLs of all scripts and modules that a run of Node compiled, as V8 reports them. */
export async function loadedBy(go: (env: Record<string, string>) => Promise<unknown>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'everywire-loaded-'));
  await go({ NODE_V8_COVERAGE: folder });
  const urls = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  rmSync(folder, { recursive: true });
  return urls;
}
