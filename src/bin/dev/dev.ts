import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryState } from '../../share/memory-state.ts';
import { listenError } from '../commands/serve-messages.ts';
import type { Process } from '../process.ts';
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
export async function serveWhileEdited(proc: Process, { port, host, settings }: DevOptions): Promise<void> {
  surviveUncaught(proc);
  const front = new DevFront();
  const state = createMemoryState();
  const watcher = new FileWatcher((changed) => reloader.onChange(changed));
  const folder = mkdtempSync(join(tmpdir(), 'everywire-'));
  proc.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) proc.on(signal, () => void end());
  const address = await front.listen(port, host).catch((error: NodeJS.ErrnoException) => {
    proc.printError(listenError(error, { port, host }));
  });
  if (!address) return proc.end(1);
  const reloader: Reloader = new Reloader({
    proc,
    front,
    watcher,
    alwaysWatched: settings,
    onUnstartable: () => void end(1),
    start: (onFiles) => new VersionProcess({ proc, folder, address, state, onFiles }),
  });
  await watcher.add(settings);
  await reloader.load();

  async function end(code = 0): Promise<void> {
    if (isEnding) reloader.kill();
    isEnding = true;
    watcher.close();
    front.close();
    await reloader.end(END_TIME);
    proc.end(code);
  }
}
