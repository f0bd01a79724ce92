import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../../contract/contract.ts';
import { diffContracts } from '../../contract/diff-contracts.ts';
import { canonicalJson } from '../../schema/canonical-json.ts';
import type { Process } from '../process.ts';
import { describeEnd } from '../workers/generation.ts';
import type { Ended } from '../workers/worker-process.ts';
import type { DevFront } from './dev-front.ts';
import type { FileWatcher } from './file-watcher.ts';
import type { DevServing, ListKind } from './messages.ts';
import { changeLines, fileNames, printReload } from './reload-report.ts';
import type { VersionProcess } from './version-process.ts';

/** Milliseconds that MCP clients have to be taken over before they are notified of changes. */
const MAX_TAKEOVER = 5000;
/** Milliseconds after which a process that dies is replaced: at once, and then later each time. */
const DELAYS = [0, 100, 500, 1000, 2000, 5000];
/** Seconds in which somebody may have saved good code. */
const SAVE_TIME = 5;
/** Calls wait for a process that is replaced sooner than this. */
const MAX_PATIENCE = 1000;
/** Milliseconds after which it counts as stable again. */
const STABLE = 10_000;

interface ReloaderOptions {
  readonly proc: Process;
  readonly front: DevFront;
  readonly watcher: FileWatcher;
  readonly start: (onFiles: (files: readonly string[]) => void) => VersionProcess;
  /** Called if the first version can never start. */
  readonly onUnstartable: () => void;
  /** Watched whatever the app consists of. */
  readonly alwaysWatched: readonly string[];
}

/** Starts a version for each state of the files, and replaces the one that serves when the next can. */
export class Reloader {
  #current: VersionProcess | undefined;
  #next: VersionProcess | undefined;
  #contract: Contract | undefined;
  #isBroken = false;
  /** Files are different from what the version that serves was made of. */
  #isOutdated = false;
  #isOver = false;
  #crashes = 0;
  readonly #alive = new Set<VersionProcess>();

  constructor(private readonly options: ReloaderOptions) {}

  /** Loads the app as it is now. A version that is still loading is out of date. */
  async load(reason = ''): Promise<void> {
    if (this.#isOver) return;
    this.#next?.end();
    const began = performance.now();
    const files = new Set(this.options.alwaysWatched);
    const { watcher } = this.options;
    const version: VersionProcess = this.options.start((found) => {
      for (const file of found) files.add(file);
      void watcher.add(found, version.startedAt.getTime());
    });
    this.#next = version;
    this.#alive.add(version);
    void version.ended.then(() => this.#alive.delete(version));
    const serving = await version.serving;
    if (this.#next !== version || this.#isOver) return version.end();
    this.#next = undefined;
    if (!serving) return this.#fail(version, await version.ended);
    await watcher.add(files);
    watcher.keep(files);
    await this.#replace(version, serving, `${Math.round(performance.now() - began)} ms${reason && `: ${reason}`}`);
  }

  onChange(changed: readonly string[]): void {
    this.#crashes = 0;
    this.#isOutdated = true;
    void this.load(fileNames(changed));
  }

  /** Ends all versions: at once, apart from what the author's `stop` does. */
  async end(limit: number): Promise<void> {
    this.#isOver = true;
    const versions = [...this.#alive];
    for (const version of versions) version.end();
    await Promise.race([Promise.all(versions.map(({ ended }) => ended)), sleep(limit)]);
    this.kill();
  }

  kill(): void {
    for (const version of this.#alive) version.kill();
  }

  /** What it loaded is watched in addition to what the version that serves consists of. */
  #fail(version: VersionProcess, ended: Ended): void {
    this.#isBroken = true;
    // With these codes, the process has said why.
    if (ended.code !== 1 && ended.code !== 2)
      this.options.proc.printError(`the process ended before it could serve (${describeEnd(ended)})`);
    const current = this.#current;
    // As with `serve`: a flag is missing, which no saved file brings.
    if (!current && version.lacksVariable) this.options.onUnstartable();
    else if (!current) printReload(this.options.proc, 'nothing to serve yet; waiting for a change');
    else if (!current.hasEnded)
      printReload(this.options.proc, `not reloaded; the version of ${timeOf(current)} goes on serving`);
    else if (this.#isOutdated) {
      this.options.front.suspend({ message: 'The app has ended, and its code is broken', retryAfter: SAVE_TIME });
      printReload(
        this.options.proc,
        `not reloaded; the version of ${timeOf(current)} has ended, and its files have changed`,
        ['calls are answered with UNAVAILABLE until a good version is saved'],
      );
    } else void this.#startAgain(current, 'the process could not be started again', performance.now());
  }

  async #replace(version: VersionProcess, { contract, greeting, warning }: DevServing, how: string): Promise<void> {
    const [previous, before] = [this.#current, this.#contract];
    this.#current = version;
    this.#contract = contract;
    this.#isOutdated = false;
    void this.#watchOver(version);
    if (warning !== undefined && !before) this.options.proc.printWarning(warning);
    await Promise.race([this.options.front.use(version), sleep(MAX_TAKEOVER, undefined, { ref: false })]);
    previous?.retire();
    if (before) this.#report(version, before, contract, how);
    else this.options.proc.stderr.write(`${greeting}Watching ${this.options.watcher.size} files; Ctrl+C ends.\n\n`);
    this.#isBroken = false;
  }

  #report(version: VersionProcess, before: Contract, after: Contract, how: string): void {
    const changes = diffContracts(before, after);
    const kinds = changedLists(before, after);
    if (kinds.length > 0) version.send({ everywire: 'announce', kinds });
    const { listening } = this.options.front;
    const told =
      kinds.length > 0 && listening > 0 ? [`${listening} MCP ${listening === 1 ? 'client' : 'clients'} notified`] : [];
    const same = changes.length === 0 ? '; the contract is the same' : '';
    printReload(this.options.proc, `${this.#isBroken ? 'good again, ' : ''}reloaded in ${how}${same}`, [
      ...changeLines(this.options.proc, changes),
      ...told,
    ]);
  }

  /** Replaces the version that serves if its process dies. */
  async #watchOver(version: VersionProcess): Promise<void> {
    const since = performance.now();
    const ended = await version.ended;
    await this.#startAgain(version, `the process ended unexpectedly (${describeEnd(ended)})`, since);
  }

  async #startAgain(version: VersionProcess, why: string, since: number): Promise<void> {
    if (this.#isOver || this.#current !== version) return;
    this.#crashes = performance.now() - since < STABLE ? this.#crashes + 1 : 1;
    const delay = DELAYS[Math.min(this.#crashes, DELAYS.length) - 1]!;
    this.options.proc.printError(`${why}; ${delay === 0 ? 'starting another' : `starting another in ${delay} ms`}`);
    if (delay > MAX_PATIENCE)
      this.options.front.suspend({ message: 'The app has ended, and is started again', retryAfter: delay / 1000 });
    await sleep(delay);
    if (this.#current === version && !this.#next) await this.load('the process had ended');
  }
}

const timeOf = ({ startedAt }: VersionProcess) => startedAt.toTimeString().slice(0, 8);

/** The lists of MCP that clients have to read again. */
function changedLists(before: Contract, after: Contract): readonly ListKind[] {
  const lists = { tools: 'functions', prompts: 'prompts', resources: 'resources' } as const;
  return (Object.keys(lists) as ListKind[]).filter(
    (kind) => canonicalJson(before[lists[kind]]) !== canonicalJson(after[lists[kind]]),
  );
}
