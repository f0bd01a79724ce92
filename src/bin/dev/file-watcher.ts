import { existsSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { stateOf } from './file-state.ts';
import type { FileState } from './file-state.ts';

/** Milliseconds without an event before files are looked at: editors write, rename and touch a file for one save. */
const QUIET = 40;
/** Milliseconds after which they are looked at although events keep coming. */
const MAX_QUIET = 400;
/** Milliseconds that a file may be missing: some editors remove it before they write it again. */
const MISSING_TIME = 150;
/** Milliseconds between looks without any event: network folders and full tables of watches send none. */
const POLL = 1000;
/** Looks without an event take at most one part in this of the time. */
const POLL_SHARE = 50;

/**
 * Watches files, also those that do not exist yet. Events of their folders only say when to look: what counts is that the content
 * is different. So it does not matter how an editor saves, and a save without a change is none.
 */
export class FileWatcher {
  readonly #files = new Map<string, FileState>();
  readonly #folders = new Map<string, FSWatcher | undefined>();
  /** Looks come one after another: two at once would find the same change, and report it twice. */
  #looking = Promise.resolve();
  #isWaiting = false;
  #timer: NodeJS.Timeout | undefined;
  #firstEvent = 0;
  #nextPoll = 0;
  readonly #poll = setInterval(() => {
    if (performance.now() >= this.#nextPoll) void this.#look();
  }, POLL).unref();

  constructor(private readonly onChange: (changed: readonly string[]) => void) {}

  /** How many files there are; others are only waited for. */
  get size(): number {
    return [...this.#files.values()].filter(({ content }) => content.startsWith('file')).length;
  }

  /**
   * Adds files. Those that changed after the given time count as changed, if it is known when they were read. Files that are
   * watched already keep the state in which they were seen.
   */
  async add(files: Iterable<string>, readSince = Infinity): Promise<void> {
    const added = [...files].filter((path) => !this.#files.has(path));
    const changed: string[] = [];
    await Promise.all(
      added.map(async (path) => {
        const state = await stateOf(path);
        if (this.#files.has(path)) return;
        this.#files.set(path, state);
        this.#watchFolder(path);
        if (state.changedAt > readSince) changed.push(path);
      }),
    );
    if (changed.length > 0) this.onChange(changed);
  }

  /** Forgets all files but these. */
  keep(files: ReadonlySet<string>): void {
    for (const path of this.#files.keys()) if (!files.has(path)) this.#files.delete(path);
    const used = new Set([...this.#files.keys()].map(folderOf));
    for (const [folder, watcher] of this.#folders) {
      if (used.has(folder)) continue;
      watcher?.close();
      this.#folders.delete(folder);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    for (const watcher of this.#folders.values()) watcher?.close();
  }

  /** A folder, since a file that is replaced is another file. */
  #watchFolder(path: string): void {
    const folder = folderOf(path);
    if (this.#folders.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#onEvent());
      // The folder is gone, or cannot be watched any more: regular looks remain.
      watcher.on('error', () => watcher.close());
      this.#folders.set(folder, watcher);
    } catch {
      // It cannot be watched, or there are too many watches: regular looks remain.
      this.#folders.set(folder, undefined);
    }
  }

  #onEvent(): void {
    const now = performance.now();
    if (!this.#timer) this.#firstEvent = now;
    clearTimeout(this.#timer);
    const quiet = Math.max(0, Math.min(QUIET, this.#firstEvent + MAX_QUIET - now));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, quiet);
  }

  async #look(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#looking = this.#looking.then(() => {
      this.#isWaiting = false;
      return this.#compare();
    });
    await this.#looking;
  }

  async #compare(): Promise<void> {
    const began = performance.now();
    let changed = await this.#changed();
    const ended = performance.now();
    this.#nextPoll = ended + (ended - began) * POLL_SHARE;
    if (changed.some(([, { content }]) => content === '')) {
      await new Promise((resolve) => setTimeout(resolve, MISSING_TIME));
      changed = await this.#changed();
    }
    for (const [path, state] of changed) {
      this.#files.set(path, state);
      this.#watchFolder(path); // it may be there only now
    }
    if (changed.length > 0) this.onChange(changed.map(([path]) => path));
  }

  async #changed(): Promise<readonly (readonly [string, FileState])[]> {
    const looked = await Promise.all(
      [...this.#files].map(async ([path, known]) => [path, known, await stateOf(path, known)] as const),
    );
    return looked.flatMap(([path, known, state]) => {
      if (state.content !== known.content) return [[path, state] as const];
      if (this.#files.get(path) === known) this.#files.set(path, state);
      return [];
    });
  }
}

/** The nearest folder that exists. */
function folderOf(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
