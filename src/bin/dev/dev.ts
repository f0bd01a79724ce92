import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryState } from '../../share/memory-state.ts';
import { printError } from '../../stdout/stderr.ts';
import { listenError } from '../commands/serve-messages.ts';
import { surviveUncaught } from '../uncaught.ts';
import { DevFront } from './dev-front.ts';
import { FileWatcher } from './file-watcher.ts';
import { Reloader } from './reloader.ts';
import { VersionProcess } from './version-process.ts';

interface DevOptions {
  readonly port: number;
  readonly host: string;
  /** Files that the app does not import, such as the configuration. */
  readonly settings: readonly string[];
}

/** Milliseconds that the author's `stop` has when the user ends the command. */
const END_TIME = 1000;

/**
 * Serves an app while it is edited. This process never loads the app: it passes requests to the process of the newest version,
 * and keeps what MCP clients have to find again in the next one.
 */
export async function serveWhileEdited({ port, host, settings }: DevOptions): Promise<void> {
  surviveUncaught();
  const front = new DevFront();
  const state = createMemoryState();
  const watcher = new FileWatcher((changed) => reloader.onChange(changed));
  const folder = mkdtempSync(join(tmpdir(), 'everywire-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
  const address = await front.listen(port, host).catch((error: NodeJS.ErrnoException) => {
    printError(listenError(error, { port, host }));
    process.exit(1);
  });
  const reloader: Reloader = new Reloader({
    front,
    watcher,
    alwaysWatched: settings,
    start: (onFiles) => new VersionProcess({ folder, address, state, onFiles }),
  });
  await watcher.add(settings);
  await reloader.load();

  async function end(): Promise<void> {
    if (isEnding) reloader.kill();
    isEnding = true;
    watcher.close();
    front.close();
    await reloader.end(END_TIME);
    process.exit(0);
  }
}
